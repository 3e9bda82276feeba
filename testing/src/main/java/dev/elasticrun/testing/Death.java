/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import dev.elasticrun.worker.internal.faults.FaultInjector.Instant;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A death of a worker at an exact place of its program: its process ends there with exit code 1 and without shutdown
 * hooks. It happens once in a run, to the first worker that it fits. Places are counted by checkpoints ({@code
 * state.commit()}) that the run has completed, and by collective operations since then: of a program that commits after
 * each step the number of checkpoints is the step. {@link ElasticRun#deaths(Death...)} takes them. Immutable.
 */
public final class Death {
    private static final long ANY = -1;
    private static final int FIELDS = 5;

    private final Instant instant;
    private final long rank;
    private final long version;
    private final long seq;
    private final long life;

    private Death(Instant instant, long rank, long version, long seq, long life) {
        this.instant = instant;
        this.rank = rank;
        this.version = version;
        this.seq = seq;
        this.life = life;
    }

    /**
     * When that many checkpoints are complete, as the next operation begins.
     *
     * @param step number of checkpoints, at least 0
     */
    public static Death atStep(long step) {
        return atCall(step, 0);
    }

    /**
     * As a collective operation begins; a checkpoint is one, too.
     *
     * @param step checkpoints that the run has completed, at least 0
     * @param call operations since then that are complete, at least 0
     */
    public static Death atCall(long step, long call) {
        return new Death(Instant.OPERATION, ANY, atLeastZero("step", step), atLeastZero("call", call), ANY);
    }

    /**
     * Within a checkpoint: the worker holds it, and no other one was notified.
     *
     * @param step checkpoints that are complete before it, at least 0
     */
    public static Death inCheckpoint(long step) {
        return new Death(Instant.STAGED, ANY, atLeastZero("step", step), ANY, ANY);
    }

    /**
     * Within a checkpoint that all workers hold, before it is complete in this one.
     *
     * @param step checkpoints that are complete before it, at least 0
     */
    public static Death asCheckpointEnds(long step) {
        return new Death(Instant.AGREED, ANY, atLeastZero("step", step), ANY, ANY);
    }

    /** While it sends a part of a checkpoint, or of a result, to a worker that lacks it. */
    public static Death whileServing() {
        return new Death(Instant.SERVING, ANY, ANY, ANY, ANY);
    }

    /**
     * While it receives a part of a checkpoint, or of a result, that it lacks. A worker that finds the newest checkpoint
     * in the files of its node receives none.
     */
    public static Death whileFetching() {
        return new Death(Instant.FETCHING, ANY, ANY, ANY, ANY);
    }

    /**
     * Of one worker only; otherwise of any.
     *
     * @param value first rank that its process had, at least 0
     */
    public Death ofRank(int value) {
        return new Death(instant, atLeastZero("rank", value), version, seq, life);
    }

    /**
     * Of one process of a slot only; otherwise of any.
     *
     * @param value processes that the worker's slot had before it, at least 0
     */
    public Death inLife(int value) {
        return new Death(instant, rank, version, seq, atLeastZero("life", value));
    }

    boolean isAt(Instant now, int atRank, long atVersion, long atSeq, int inLife) {
        return instant == now
                && fits(rank, atRank)
                && fits(version, atVersion)
                && fits(seq, atSeq)
                && fits(life, inLife);
    }

    private static boolean fits(long wanted, long value) {
        return wanted == ANY || wanted == value;
    }

    /**
     * As {@link #toString} writes it.
     *
     * @throws IllegalArgumentException when it is no death
     */
    static Death parse(String text) {
        String[] parts = text.split(":", -1);
        try {
            if (parts.length == FIELDS) {
                long[] numbers =
                        Arrays.stream(parts).skip(1).mapToLong(Long::parseLong).toArray();
                return new Death(Instant.valueOf(parts[0]), numbers[0], numbers[1], numbers[2], numbers[3]);
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(expected(text), e);
        }
        throw new IllegalArgumentException(expected(text));
    }

    private static String expected(String text) {
        return "death: " + text + " (expected: INSTANT:RANK:CHECKPOINTS:OPERATIONS:LIFE, -1 = any)";
    }

    private static long atLeastZero(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: 0 or more)");
        }
        return value;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Death death && death.toString().equals(toString());
    }

    @Override
    public int hashCode() {
        return Objects.hash(instant, rank, version, seq, life);
    }

    /** {@code INSTANT:RANK:CHECKPOINTS:OPERATIONS:LIFE}, -1 = any. */
    @Override
    public String toString() {
        return instant + ":" + rank + ":" + version + ":" + seq + ":" + life;
    }
}
