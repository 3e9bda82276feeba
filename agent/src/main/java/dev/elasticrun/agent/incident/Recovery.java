/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import dev.elasticrun.rendezvous.record.Round;
import java.util.EnumMap;
import java.util.Map;

/** An incident that is not over at a node, from its first sign on. */
final class Recovery {
    private final long beganNanos;
    private final Map<RecoveryPhase, Long> reached = new EnumMap<>(RecoveryPhase.class);
    private boolean doubt;

    Recovery(long beganNanos, boolean doubt) {
        this.beganNanos = beganNanos;
        this.doubt = doubt;
    }

    void sign(boolean isDoubt) {
        doubt &= isDoubt;
    }

    /** Whether nothing happened but that the lease was in doubt. */
    boolean isDoubt() {
        return doubt;
    }

    void reach(RecoveryPhase phase, long nanos) {
        reached.putIfAbsent(phase, nanos - beganNanos);
    }

    boolean hasReached(RecoveryPhase phase) {
        return reached.containsKey(phase);
    }

    /** @param round that is the answer */
    IncidentFact.Recovered recovered(Round round) {
        return new IncidentFact.Recovered(round, beganNanos, reached);
    }

    IncidentFact.Unanswered unanswered(long incident, long nanos, String reason) {
        return new IncidentFact.Unanswered(incident, beganNanos, reached, nanos - beganNanos, reason);
    }
}
