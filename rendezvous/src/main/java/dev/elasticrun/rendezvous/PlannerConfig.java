/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import java.time.Duration;

/** How long the planner waits for what; see {@link RendezvousConfig}. */
record PlannerConfig(
        Duration leaseTtl,
        Duration joinTimeout,
        Duration lastCall,
        Duration scaleUpDelay,
        Duration replacementWait,
        Duration rejoinBackOff,
        Duration excludeCoolDown) {

    static PlannerConfig of(RendezvousConfig config) {
        return new PlannerConfig(
                config.leaseTtl(),
                config.joinTimeout(),
                config.lastCall(),
                config.scaleUpDelay(),
                config.replacementWait(),
                config.rejoinBackOff(),
                config.excludeCoolDown());
    }
}
