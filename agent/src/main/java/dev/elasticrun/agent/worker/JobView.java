/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.agent.rules.AgentState;
import dev.elasticrun.proto.WorkerStatus;
import dev.elasticrun.rendezvous.record.Round;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Describes the job's progress, as reported by rank 0, in a line. Pure. */
public final class JobView {
    private static final int SECONDS_PER_MINUTE = 60;
    private static final int SECONDS_PER_HOUR = 3600;

    private JobView() {}

    /** Empty where rank 0 works elsewhere, or reports nothing. */
    public static Optional<String> of(AgentState state, String nodeId, Map<WorkerGauges.Key, WorkerStatus> gauges) {
        Round round = state.round();
        if (round == null || state.workingRound() == 0) {
            return Optional.empty();
        }
        return state.place(round, nodeId)
                .filter(place -> place.firstRank() == 0)
                .map(place -> place.seatOf(0))
                .map(first ->
                        gauges.getOrDefault(new WorkerGauges.Key(first.slot(), first.attempt()), LiveStatus.UNKNOWN))
                .filter(gauge -> gauge.getStep() > 0)
                .map(gauge -> "round=" + round.number() + " world=" + round.worldSize() + " " + line(gauge));
    }

    private static String line(WorkerStatus gauge) {
        StringBuilder line = new StringBuilder("step " + gauge.getStep());
        if (gauge.getTotal() > 0) {
            line.append(" of ").append(gauge.getTotal());
        }
        double rate = gauge.getStepsPerSecond();
        if (rate > 0) {
            line.append(String.format(Locale.ROOT, rate < 10 ? ", %.2f steps/s" : ", %.0f steps/s", rate));
            if (gauge.getTotal() > gauge.getStep()) {
                line.append(", about ")
                        .append(time((gauge.getTotal() - gauge.getStep()) / rate))
                        .append(" left");
            }
        }
        return line.toString();
    }

    private static String time(double seconds) {
        if (seconds < 2 * SECONDS_PER_MINUTE) {
            return Math.round(seconds) + " s";
        }
        return seconds < 2 * SECONDS_PER_HOUR
                ? Math.round(seconds / SECONDS_PER_MINUTE) + " min"
                : Math.round(seconds / SECONDS_PER_HOUR) + " h";
    }
}
