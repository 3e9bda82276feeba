/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.xgboost;

import dev.elasticrun.agent.runtime.FrameworkRuntime;
import dev.elasticrun.agent.runtime.PreparedRound;
import dev.elasticrun.agent.runtime.RuntimeRound;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A tracker per round, at its master endpoint and in the agent of rank 0: no failure of a worker takes it away. */
final class XgboostRuntime implements FrameworkRuntime {
    @Override
    public Set<String> reservedNames() {
        return TrackerValues.NAMES;
    }

    @Override
    public boolean servesMasterEndpoint() {
        return true;
    }

    @Override
    public PreparedRound open(RuntimeRound round) throws IOException {
        return new Prepared(round, round.hasRankZero() ? Optional.of(tracker(round)) : Optional.empty());
    }

    private static XgboostTracker tracker(RuntimeRound round) throws IOException {
        Optional<ServerSocketChannel> door = round.door();
        return XgboostTracker.serve(
                door.isPresent() ? door.get() : XgboostTracker.listen(round.masterPort()),
                round.number(),
                round.worldSize());
    }

    private record Prepared(RuntimeRound round, Optional<XgboostTracker> tracker) implements PreparedRound {
        @Override
        public Map<String, String> values(int rank) {
            return TrackerValues.of(round.masterAddress(), round.masterPort(), rank, round.worldSize());
        }

        @Override
        public void close() {
            tracker.ifPresent(XgboostTracker::close);
        }
    }
}
