/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.coordinator;

import dev.elasticrun.rendezvous.codec.CommandCodec;
import dev.elasticrun.rendezvous.codec.RunKeys;
import dev.elasticrun.rendezvous.codec.StoredRecord;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.terms.NodeBounds;
import dev.elasticrun.rendezvous.terms.RunSpec;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** The records that coordinators alone write, as this one has read or written them last. Owned by the loop. */
final class CoordinatedRecords {
    private final RunKeys keys;
    private final RunSpec spec;
    private final Fence fence;
    private @Nullable Round round;
    private long roundRevision;
    private long roundKnownNanos;
    /** Newer than {@link #roundRevision}: a write of ours arrived after it was given up. */
    private long seenRoundRevision;

    private @Nullable Verdict verdict;
    private NodeBounds target;

    CoordinatedRecords(RunKeys keys, RunSpec spec, Fence fence, long nowNanos) {
        this.keys = keys;
        this.spec = spec;
        this.fence = fence;
        this.target = spec.terms().nodes();
        this.roundKnownNanos = nowNanos;
    }

    /**
     * Takes all of them over.
     *
     * @param all of {@link RunKeys#ofCoordinator}
     * @param knownSince since when this agent has known the round of a revision, on the loop's clock
     * @return whether the coordinator's key is still the one of this agent
     */
    boolean read(List<KeyValue> all, LongUnaryOperator knownSince) {
        boolean stillOurs = false;
        target = spec.terms().nodes();
        for (KeyValue entry : all) {
            if (entry.key().equals(keys.coordinator())) {
                stillOurs = entry.createRevision() == fence.coordinator();
            } else if (entry.key().equals(keys.round())) {
                round = StoredRecord.round(entry);
                if (roundRevision != entry.modRevision()) {
                    roundKnownNanos = knownSince.applyAsLong(entry.modRevision());
                }
                roundRevision = entry.modRevision();
            } else if (entry.key().equals(keys.target())) {
                target = CommandCodec.target(entry, spec);
            } else if (entry.key().equals(keys.verdict())) {
                verdict = StoredRecord.verdict(entry);
            }
        }
        return stillOurs;
    }

    void written(Round next, long revision, long nowNanos) {
        round = next;
        roundRevision = revision;
        roundKnownNanos = nowNanos;
    }

    void written(Verdict decided) {
        verdict = decided;
    }

    void target(NodeBounds next) {
        target = next;
    }

    /** The round was written at that revision; the write may be one of ours whose outcome was not known. */
    void onRoundSeen(long revision) {
        seenRoundRevision = Math.max(seenRoundRevision, revision);
    }

    /** Whether the store has a newer round than this one. */
    boolean isRoundOutdated() {
        return seenRoundRevision > roundRevision;
    }

    /** Null before the first one. */
    @Nullable
    Round round() {
        return round;
    }

    /** 0 before the first one. */
    long roundNumber() {
        return round == null ? 0 : round.number();
    }

    /** At which the round was written; 0 before the first one. */
    long roundRevision() {
        return roundRevision;
    }

    /** Since when the round has been known here, on the loop's clock. */
    long roundKnownNanos() {
        return roundKnownNanos;
    }

    /** Null until the run has ended. */
    @Nullable
    Verdict verdict() {
        return verdict;
    }

    /** How many nodes the run is to have. */
    NodeBounds target() {
        return target;
    }
}
