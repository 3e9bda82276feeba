/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import java.util.Comparator;

/**
 * The newest checkpoint that a run is known to have completed. After a round in which nothing of the run was left its
 * versions count from 1 again, and any of them is newer than all before.
 *
 * @param since that round; 0 = there was none
 * @param version 0 = none was completed since
 */
public record RunVersion(long since, long version) implements Comparable<RunVersion> {
    public static final RunVersion NONE = new RunVersion(0, 0);

    private static final Comparator<RunVersion> ORDER =
            Comparator.comparingLong(RunVersion::since).thenComparingLong(RunVersion::version);

    /** All was lost in the round. */
    public static RunVersion lostIn(long round) {
        return new RunVersion(round, 0);
    }

    public RunVersion orNewer(RunVersion other) {
        return compareTo(other) >= 0 ? this : other;
    }

    /** Whether there is a checkpoint that was not there before: a loss alone is none. */
    public boolean isProgressOver(RunVersion before) {
        return compareTo(before) > 0 && version > 0;
    }

    @Override
    public int compareTo(RunVersion other) {
        return ORDER.compare(this, other);
    }

    /** Two decimal numbers: the version, and since when it counts. */
    public String text() {
        return version + " " + since;
    }

    public static RunVersion parse(String text) {
        String[] numbers = text.split(" ", -1);
        if (numbers.length != 2) {
            throw new IllegalArgumentException("version: '" + text + "' (expected: two numbers)");
        }
        return new RunVersion(Long.parseLong(numbers[1]), Long.parseLong(numbers[0]));
    }
}
