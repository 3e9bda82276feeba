/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import dev.elasticrun.agent.runtime.FrameworkRuntime;
import dev.elasticrun.agent.runtime.FrameworkRuntimeProvider;
import dev.elasticrun.agent.runtime.NativeLibrary;
import dev.elasticrun.agent.runtime.PreparedRound;
import dev.elasticrun.agent.runtime.RuntimeRound;
import java.util.List;
import java.util.Set;

/** {@code xgboost}: the agents have the tracker. {@code xgboost:own-tracker}: rank 0 of the program has it. */
public final class XgboostRuntimeProvider implements FrameworkRuntimeProvider {
    /** Its native part is in its jar; OpenMP, by which that uses several processors, is not. */
    static final List<NativeLibrary> LIBRARIES =
            List.of(new NativeLibrary("libgomp.so.1", "package libgomp1 of Debian and Ubuntu, libgomp of Fedora"));

    private static final String OWN_TRACKER = "own-tracker";

    @Override
    public String name() {
        return "xgboost";
    }

    @Override
    public String usage() {
        return "xgboost[:" + OWN_TRACKER + "]";
    }

    @Override
    public FrameworkRuntime create(String option) {
        return switch (option) {
            case "" -> new XgboostRuntime();
            case OWN_TRACKER -> new OwnTrackerRuntime();
            default -> throw new IllegalArgumentException("expected: " + usage());
        };
    }

    @Override
    public boolean hasEventLoop(long pid) {
        return EventLoopThread.isIn(pid);
    }

    /**
     * For programs whose rank 0 starts a tracker: it does so at the master endpoint. XGBoost's own binds without SO_REUSEADDR,
     * so the port cannot be held until then.
     */
    private static final class OwnTrackerRuntime implements FrameworkRuntime {
        @Override
        public Set<String> reservedNames() {
            return TrackerValues.NAMES;
        }

        @Override
        public List<NativeLibrary> nativeLibraries() {
            return LIBRARIES;
        }

        @Override
        public boolean freesMasterEndpoint() {
            return true;
        }

        @Override
        public PreparedRound open(RuntimeRound round) {
            return rank -> TrackerValues.of(round.masterAddress(), round.masterPort(), rank, round.worldSize());
        }
    }
}
