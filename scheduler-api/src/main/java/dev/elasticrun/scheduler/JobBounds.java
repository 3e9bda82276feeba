/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The fewest and the most nodes of a job, as it was submitted: a scheduler keeps them with the job as their text. */
public record JobBounds(int minNodes, int maxNodes) {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,9}):(\\d{1,9})");

    public static JobBounds of(JobSpec job) {
        return new JobBounds(job.minNodes(), job.maxNodes());
    }

    /** Empty = the text is not that of bounds. */
    public static Optional<JobBounds> parse(String text) {
        Matcher bounds = TEXT.matcher(text);
        return bounds.matches()
                ? Optional.of(new JobBounds(Integer.parseInt(bounds.group(1)), Integer.parseInt(bounds.group(2))))
                : Optional.empty();
    }

    /** @throws SchedulerException naming the number and the bounds: so many nodes the job cannot have */
    public void check(int nodes) {
        if (nodes < minNodes || nodes > maxNodes) {
            throw SchedulerException.of("nodes", Integer.toString(nodes), this + ", with which the job was submitted");
        }
    }

    /** {@code MIN:MAX} */
    @Override
    public String toString() {
        return minNodes + ":" + maxNodes;
    }
}
