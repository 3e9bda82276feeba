/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import dev.elasticrun.rendezvous.restart.IncidentCause;
import java.util.Optional;

/**
 * A round in which a node's lease was in doubt, and which may resume: no later round then answers that incident, so
 * this class counts it.
 */
final class Doubt {
    private long round;
    private long pausedRound;
    private boolean counted;

    void begin(long workingRound) {
        round = workingRound;
        counted = false;
    }

    void pause(long ofRound) {
        pausedRound = ofRound;
    }

    /** Whether its workers received PAUSE: they are to resume before it is over. */
    boolean isPaused() {
        return pausedRound == round;
    }

    boolean isAbout(long number) {
        return round > 0 && round == number;
    }

    /** The round resumes. */
    Optional<IncidentFact> count() {
        if (round == 0 || counted) {
            return Optional.empty();
        }
        counted = true;
        return Optional.of(new IncidentFact.Counted(IncidentCause.STORE_UNREACHABLE));
    }

    void clear() {
        round = 0;
    }
}
