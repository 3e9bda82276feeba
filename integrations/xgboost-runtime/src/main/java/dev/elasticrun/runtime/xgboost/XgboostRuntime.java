/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import dev.elasticrun.agent.runtime.FrameworkRuntime;
import dev.elasticrun.agent.runtime.NativeLibrary;
import dev.elasticrun.agent.runtime.PreparedRound;
import dev.elasticrun.agent.runtime.RuntimeRound;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Runs a tracker per round and node, in the agents: it survives every failure of a worker, and a worker that leaves its
 * group never waits for a failed node. The tracker of rank 0's node listens at the master endpoint. Trackers of the
 * last rounds that are over still accept workers that leave, so that these need not retry.
 */
final class XgboostRuntime implements FrameworkRuntime {
    private static final int KEPT = 2;

    private final Deque<XgboostTracker> over = new ArrayDeque<>();

    @Override
    public Set<String> reservedNames() {
        return TrackerValues.NAMES;
    }

    @Override
    public List<NativeLibrary> nativeLibraries() {
        return XgboostRuntimeProvider.LIBRARIES;
    }

    @Override
    public boolean servesMasterEndpoint() {
        return true;
    }

    @Override
    public PreparedRound open(RuntimeRound round) throws IOException {
        return new Prepared(round, XgboostTracker.serve(door(round), round));
    }

    private static ServerSocketChannel door(RuntimeRound round) throws IOException {
        if (round.door().isPresent()) {
            return round.door().get();
        }
        return XgboostTracker.listen(round.hasRankZero() ? round.masterPort() : 0);
    }

    @Override
    public void close() {
        over.forEach(XgboostTracker::close);
        over.clear();
    }

    private final class Prepared implements PreparedRound {
        private final RuntimeRound round;
        private final XgboostTracker tracker;

        Prepared(RuntimeRound round, XgboostTracker tracker) {
            this.round = round;
            this.tracker = tracker;
        }

        @Override
        public Map<String, String> values(int rank) {
            return TrackerValues.of(round.own().address(), tracker.port(), rank, round.worldSize());
        }

        @Override
        public void close() {
            tracker.over();
            over.addLast(tracker);
            if (over.size() > KEPT) {
                over.removeFirst().close();
            }
        }
    }
}
