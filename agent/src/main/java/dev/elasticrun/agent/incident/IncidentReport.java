/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * One incident: its root causes, the evidence, the response and the cost.
 *
 * @param cause as reported by the coordinator; empty when it reported none
 * @param culprits those that began it first, those that followed last
 */
public record IncidentReport(
        Beginning beginning,
        String cause,
        List<Culprit> culprits,
        Result result,
        Answer answer,
        Waiting waiting,
        Cost cost) {

    /**
     * @param number as events have it; the start of the run is 1. The end of a run that no round answered has the next one,
     *     a pause within a round that of the round
     * @param time of its first event, on the clock of that host
     * @param fromRound the round that it ended; 0 = there was none
     */
    public record Beginning(long number, Instant time, long fromRound) {}

    /**
     * The result of an incident.
     *
     * @param end the run's shared end, or why agents ended, as text; empty = the run continued
     */
    public record Result(Outcome outcome, String end) {}

    /**
     * The round that answered it.
     *
     * @param round its number; 0 = there is none
     * @param worldSize workers of it
     * @param nodes of it
     * @param coordinator the node that decided; empty = not known
     * @param survivors processes that worked before and continue in it; negative = not known
     */
    public record Answer(
            long round, int worldSize, List<String> nodes, String coordinator, int survivors, Restarts restarts) {
        public Answer {
            nodes = List.copyOf(nodes);
        }
    }

    /**
     * @param used by then; negative = not known
     * @param max of the run; negative = not known
     * @param within for how long each counts, as text that follows their number; empty = for as long as the run
     */
    public record Restarts(long used, long max, String within) {}

    /**
     * @param reason what the run waited for, as reported by the coordinator; empty = it did not wait
     * @param keptOut nodes that the coordinator did not put into a round after it
     */
    public record Waiting(String reason, List<KeptOut> keptOut) {
        public Waiting {
            keptOut = List.copyOf(keptOut);
        }
    }

    /**
     * A node that was ready.
     *
     * @param why the reason as text
     * @param seconds for how long; negative = not known
     */
    public record KeptOut(String node, String why, long seconds) {}

    /** The result of an incident. */
    public enum Outcome {
        /** The start of the run. */
        STARTED,
        /** The next round was sealed: workers that could continue did. */
        WENT_ON,
        /** The next round was sealed, and all workers were started again. */
        RESTARTED,
        /** The same round resumed, or will when its cause is over: nothing was decided. */
        PAUSED,
        /** No round has answered it yet. */
        WAITS,
        /** The run ended as succeeded. */
        SUCCEEDED,
        /** A user ended the run by a command. */
        STOPPED,
        /** The run ended as failed, or its agents did without a shared end. */
        FAILED,
        /** The agents were asked to leave. */
        LEFT;

        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public long number() {
        return beginning.number();
    }

    public Instant time() {
        return beginning.time();
    }

    public Outcome outcome() {
        return result.outcome();
    }

    /** Whether it is a pause within a round: it has the number of the incident that led to that round. */
    public boolean isPause() {
        return outcome() == Outcome.PAUSED;
    }

    /** When all workers worked again, by {@link #time} and the cost. */
    public Instant over() {
        return time().plusMillis(Math.round(cost.total()));
    }

    /** Whether nothing has answered it yet. */
    public boolean isOpen() {
        return outcome() == Outcome.WAITS || (isPause() && answer.round() == 0);
    }

    /** The workers among the culprits, in the same order. */
    public Stream<Culprit.FailedWorker> failedWorkers() {
        return culprits.stream().filter(Culprit.FailedWorker.class::isInstance).map(Culprit.FailedWorker.class::cast);
    }

    public IncidentReport {
        culprits = List.copyOf(culprits);
    }
}
