/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.internal.faults.FaultInjector;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Ends workers, which are threads here, at a chosen instant of the collective. */
public final class DeathInOperation implements FaultInjector {
    private static final Map<String, Plan> PLANS = new ConcurrentHashMap<>();

    private record Plan(AtomicInteger left, Runnable death) {}

    /** For the service loader. */
    public DeathInOperation() {}

    /**
     * The worker dies at one of the instants in which it can.
     *
     * @param thread its name
     * @param instants that it lives through before
     * @param death what its end is; throws
     */
    public static void plan(String thread, int instants, Runnable death) {
        PLANS.put(thread, new Plan(new AtomicInteger(instants), death));
    }

    @Override
    public void at(Instant instant, int rank, long version, long seq) {
        Plan plan = PLANS.get(Thread.currentThread().getName());
        if (plan != null && plan.left().getAndDecrement() == 0) {
            plan.death().run();
        }
    }
}
