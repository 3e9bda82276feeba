/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.IncidentCause;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What {@link IncidentTimeline} concludes from an event or a round. */
public sealed interface IncidentFact {

    /**
     * Workers of the node failed.
     *
     * @param round in which the node's workers work; null before the first
     * @param incident that it begins, or that it is part of
     */
    record Failed(RunEvent.OfFailure failure, @Nullable Round round, long incident) implements IncidentFact {}

    /** Workers of the node work in the round, and none of them reported yet in any round that they resumed work. */
    record Begun(Round round) implements IncidentFact {}

    /** A worker reported its first step in a round. */
    record Progressed(long step) implements IncidentFact {}

    /** One more incident of the run; the start of the run is none. */
    record Counted(IncidentCause cause) implements IncidentFact {}

    /**
     * The answer to an incident has ended at this node, or was overtaken by the next one.
     *
     * @param round that is the answer
     * @param beganNanos first sign of the incident, on the agent's monotonic clock
     * @param nanos when each phase was reached that was, from the first sign on; nanoseconds
     */
    record Recovered(Round round, long beganNanos, Map<RecoveryPhase, Long> nanos) implements IncidentFact {
        public Recovered {
            nanos = Map.copyOf(nanos);
        }
    }

    /**
     * The agent ended with an error, and no round had answered an incident at this node.
     *
     * @param incident its number
     * @param beganNanos first sign of the incident, on the agent's monotonic clock
     * @param nanos as in {@link Recovered}
     * @param endNanos end of the agent, from the first sign on
     */
    record Unanswered(long incident, long beganNanos, Map<RecoveryPhase, Long> nanos, long endNanos, String reason)
            implements IncidentFact {
        public Unanswered {
            nanos = Map.copyOf(nanos);
        }
    }

    /**
     * All workers of the node work again, after they had stopped.
     *
     * @param round in which
     * @param suspended the round in which they waited for it; null = they did not
     * @param storeOnly whether it is the round before: only the store was not reachable
     * @param stoppedNanos for how long the node did not work
     * @param worldBefore world size before
     * @param versionBefore newest checkpoint before; 0 = none was reported
     * @param version checkpoint from which they resumed; 0 = none
     * @param stepBefore newest step before; 0 = none was reported
     * @param stepAfter first step in the round; 0 = none was reported yet
     */
    record WorksAgain(
            Round round,
            @Nullable Round suspended,
            boolean storeOnly,
            long stoppedNanos,
            int worldBefore,
            long versionBefore,
            long version,
            long stepBefore,
            long stepAfter)
            implements IncidentFact {

        /** The same, with the first step in the round. */
        public WorksAgain progressed(long step) {
            return new WorksAgain(
                    round, suspended, storeOnly, stoppedNanos, worldBefore, versionBefore, version, stepBefore, step);
        }

        /** Steps that are made again; empty = not known. */
        public Optional<Long> stepsLost() {
            return stepBefore > 0 && stepAfter > 0
                    ? Optional.of(Math.max(0, stepBefore - (stepAfter - 1)))
                    : Optional.empty();
        }
    }
}
