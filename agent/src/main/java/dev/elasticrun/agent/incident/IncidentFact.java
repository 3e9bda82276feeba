/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.IncidentCause;
import java.util.Map;

/** What {@link IncidentTimeline} concludes from an event or a round. */
public sealed interface IncidentFact {

    /** Workers of the node failed. */
    record Failed(RunEvent.OfFailure failure) implements IncidentFact {}

    /** One more incident of the run; the start of the run is none. */
    record Counted(IncidentCause cause) implements IncidentFact {}

    /**
     * The answer to an incident has ended at this node, or was overtaken by the next one.
     *
     * @param nanos when each phase was reached that was, from the first sign on; nanoseconds
     */
    record Recovered(Map<RecoveryPhase, Long> nanos) implements IncidentFact {
        public Recovered {
            nanos = Map.copyOf(nanos);
        }
    }

    /**
     * All workers of the node work again, after they had stopped.
     *
     * @param round in which
     * @param storeOnly whether it is the round before: only the store was not reachable
     * @param stoppedNanos for how long the node did not work
     * @param worldBefore world size before
     * @param versionBefore newest checkpoint before; 0 = none was reported
     * @param version checkpoint from which they resumed; 0 = none
     */
    record WorksAgain(
            Round round, boolean storeOnly, long stoppedNanos, int worldBefore, long versionBefore, long version)
            implements IncidentFact {}
}
