/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.facts;

import java.util.Locale;

/**
 * What one worker does at this moment.
 *
 * @param slot local rank
 * @param attempt which group of the node's workers it belongs to; names its logs
 * @param pid process id; 0 = not started yet
 * @param rank in the newest round; -1 = none
 * @param gauge what it told of its progress, and what it takes
 */
public record WorkerFacts(int slot, int attempt, long pid, int rank, State state, Gauge gauge) {

    /** What a worker can be about. Names in lower case are those of commands' output, and stay. */
    public enum State {
        /** Its process was not started. */
        PENDING,
        /** Its process runs, and was not ready for a round yet. */
        STARTING,
        /** It is ready, and was in no round yet. */
        READY,
        /** It was told to work. */
        WORKING,
        /** It worked, and waits for the next round. */
        PAUSED,
        /** It is being ended by its agent. */
        STOPPING,
        /** It ended with exit code 0. */
        ENDED,
        /** It ended otherwise, or is given up. */
        FAILED;

        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Steps a second, as far as they are known; negative = not known. */
    public double stepsPerSecond() {
        return gauge.stepsPerSecond();
    }
}
