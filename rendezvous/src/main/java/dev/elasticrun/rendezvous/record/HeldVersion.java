/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import java.util.Comparator;
import java.util.Objects;

/**
 * The newest checkpoint that a node can serve. A round that continued without a node has given up what only that node had,
 * so the newer of two is the one of the later world, whatever their versions are.
 *
 * @param run how it counts in the run
 * @param world the world that made it; 0 = not known
 */
public record HeldVersion(RunVersion run, long world) implements Comparable<HeldVersion> {
    public static final HeldVersion NONE = new HeldVersion(RunVersion.NONE, 0);

    private static final Comparator<HeldVersion> ORDER = Comparator.comparingLong(HeldVersion::since)
            .thenComparingLong(HeldVersion::world)
            .thenComparingLong(HeldVersion::version);

    public HeldVersion {
        Objects.requireNonNull(run, "run");
    }

    public static HeldVersion of(long since, long world, long version) {
        return new HeldVersion(new RunVersion(since, version), world);
    }

    /** All was lost in the round. */
    public static HeldVersion lostIn(long round) {
        return new HeldVersion(RunVersion.lostIn(round), 0);
    }

    /** 0 = none. */
    public long version() {
        return run.version();
    }

    /** The round since which versions count. */
    public long since() {
        return run.since();
    }

    public HeldVersion orNewer(HeldVersion other) {
        return compareTo(other) >= 0 ? this : other;
    }

    @Override
    public int compareTo(HeldVersion other) {
        return ORDER.compare(this, other);
    }
}
