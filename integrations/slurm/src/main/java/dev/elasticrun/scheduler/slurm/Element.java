/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.slurm;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * An element of an array, as {@code squeue} shows it. Pure.
 *
 * @param array number of the array's job
 * @param jobId number of the element's own job
 * @param state as Slurm calls it
 * @param host where it runs; empty = nowhere now
 * @param reason why it is in that state; empty = none is named
 */
record Element(
        String array,
        int index,
        String jobId,
        String state,
        String host,
        String reason,
        JobComment comment,
        String name) {
    /** What {@code squeue --format} is given. The name is last: those of other jobs may have anything in them. */
    static final String FORMAT = "%F|%K|%A|%T|%N|%r|%k|%j";

    static final String RUNNING = "RUNNING";
    static final String COMPLETED = "COMPLETED";

    /** Of one that has not ended, but is about to; also of one that is queued again then. */
    private static final String LEAVING = "COMPLETING";

    private static final int FIELDS = 8;
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
    private static final Set<String> ENDED = Set.of(
            "BOOT_FAIL",
            "CANCELLED",
            COMPLETED,
            "DEADLINE",
            "FAILED",
            "NODE_FAIL",
            "OUT_OF_MEMORY",
            "PREEMPTED",
            "REVOKED",
            "TIMEOUT");

    /** The element of a line; empty = it is none of elastic-run. */
    static Optional<Element> parse(String line) {
        String[] fields = line.strip().split("\\|", FIELDS);
        if (fields.length < FIELDS
                || !NUMBER.matcher(fields[0]).matches()
                || !NUMBER.matcher(fields[1]).matches()) {
            return Optional.empty();
        }
        return JobComment.parse(fields[6])
                .map(comment -> new Element(
                        fields[0],
                        Integer.parseInt(fields[1]),
                        fields[2],
                        fields[3],
                        fields[4],
                        fields[5].equals("None") ? "" : fields[5],
                        comment,
                        fields[7]));
    }

    /** What Slurm's commands call it. */
    String id() {
        return array + "_" + index;
    }

    /** The job that it belongs to, as users know it. */
    String job() {
        return comment.of().orElse(array);
    }

    boolean hasEnded() {
        return ENDED.contains(state);
    }

    boolean isLeaving() {
        return state.equals(LEAVING);
    }

    boolean runs() {
        return state.equals(RUNNING);
    }
}
