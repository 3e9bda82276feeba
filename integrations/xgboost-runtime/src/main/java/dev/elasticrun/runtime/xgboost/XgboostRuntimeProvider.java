/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import dev.elasticrun.agent.runtime.FrameworkRuntime;
import dev.elasticrun.agent.runtime.FrameworkRuntimeProvider;

/** {@code xgboost}: the agents have the tracker. {@code xgboost:own-tracker}: rank 0 of the program has it. */
public final class XgboostRuntimeProvider implements FrameworkRuntimeProvider {
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
}
