/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.agent.rules.AgentState;
import dev.elasticrun.proto.WorkerStatus;
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
        return JobProgress.of(state, nodeId, gauges)
                .filter(job -> job.step() > 0)
                .map(job -> "round=" + job.round() + " world=" + job.world() + " " + line(job));
    }

    private static String line(JobProgress job) {
        StringBuilder line = new StringBuilder("step " + job.step());
        if (job.total() > 0) {
            line.append(" of ").append(job.total());
        }
        double rate = job.perSecond();
        if (rate > 0) {
            line.append(String.format(Locale.ROOT, rate < 10 ? ", %.2f steps/s" : ", %.0f steps/s", rate));
        }
        if (job.total() > job.step()) {
            job.secondsLeft()
                    .ifPresent(
                            left -> line.append(", about ").append(time(left)).append(" left"));
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
