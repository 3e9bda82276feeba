/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.collective.ElementType;
import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.internal.faults.FaultInjector.Instant;
import dev.elasticrun.worker.internal.replay.ReplayLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the workers of one test do, when they die and when they stand still, all of it drawn from the seed.
 *
 * @param versions operations before each checkpoint
 * @param state bytes of a checkpoint, about
 * @param isReplacing the dead are replaced in the same world; otherwise the world shrinks
 * @param grows one more worker comes with the first new round of a changed world
 */
record PropertySchedule(
        long seed,
        int size,
        List<Version> versions,
        int state,
        boolean isReplacing,
        boolean grows,
        List<Death> deaths,
        Optional<Silence> silence) {
    /** Elements, around the lengths at which operations change their way. */
    private static final int[] SMALL = {0, 1, 2, 3, 5, 31, 64, 500};

    private static final int[] MIDDLE = {1023, 1024, 1025, 4095, 4096, 4097, 8191, 8192, 8193};
    private static final int[] LARGE = {16_383, 16_385, 32_767, 32_769, 50_001};
    private static final List<ElementType> TYPES =
            List.of(ElementType.BYTE, ElementType.INT, ElementType.LONG, ElementType.FLOAT, ElementType.DOUBLE);

    public enum Kind {
        ALL_REDUCE,
        /** With a prepare function. */
        ALL_REDUCE_PREPARED,
        BROADCAST,
        BROADCAST_BYTES,
        /** Equal parts. */
        ALL_GATHER,
        ALL_GATHER_IN_PLACE,
        /** Of lengths that only their owners know. */
        ALL_GATHER_BYTES,
        /** Equal parts. */
        REDUCE_SCATTER,
        REDUCE_SCATTER_PARTS,
        BARRIER
    }

    /** How a version's state is kept. */
    enum Keeping {
        GLOBAL,
        /** With a state of each rank's own. */
        LOCAL,
        LAZY
    }

    record Version(List<Op> ops, Keeping keeping) {
        Version {
            ops = List.copyOf(ops);
        }
    }

    /**
     * @param root any number; modulo the size of the world
     * @param isAsync as a future; those in a row are queued together
     */
    record Op(Kind kind, ElementType type, ReduceOp reduce, int count, int root, boolean isAsync) {
        boolean isReduction() {
            return kind == Kind.ALL_REDUCE
                    || kind == Kind.ALL_REDUCE_PREPARED
                    || kind == Kind.REDUCE_SCATTER
                    || kind == Kind.REDUCE_SCATTER_PARTS;
        }

        @Override
        public String toString() {
            String arguments = kind == Kind.BARRIER ? "" : type + "[" + count + "]";
            return (isAsync ? "async " : "") + kind + "(" + arguments + (isReduction() ? ", " + reduce : "")
                    + (kind == Kind.BROADCAST || kind == Kind.BROADCAST_BYTES ? ", " + root : "") + ")";
        }
    }

    /**
     * The first process that comes to this operation makes no call, until one of the others has waited for too long.
     *
     * @param isKilled it never goes on
     */
    record Silence(int rank, long version, long seq, boolean isKilled) {
        boolean isAt(Instant now, int atRank, long atVersion, long atSeq) {
            return now == Instant.OPERATION && rank == atRank && version == atVersion && seq == atSeq;
        }
    }

    /**
     * Either at an instant of a rank, or when the wires of the worker that first had the rank are used for the n-th time.
     *
     * @param life 0 = the first worker of its place
     * @param wireUse 0 = at the instant
     */
    record Death(Instant instant, int rank, long version, long seq, int life, int wireUse) {
        boolean isAt(Instant now, int atRank, long atVersion, long atSeq, int inLife) {
            return wireUse == 0
                    && instant == now
                    && rank == atRank
                    && version == atVersion
                    && (seq == atSeq || instant != Instant.OPERATION)
                    && life == inLife;
        }

        @Override
        public String toString() {
            return wireUse > 0
                    ? "worker " + rank + "/" + life + " at use " + wireUse + " of a wire"
                    : instant + " rank " + rank + " version " + version + " seq " + seq + " life " + life;
        }
    }

    /** Of what is kept for those who take the place of the dead; little enough at times to be lost with them. */
    ReplayLimits limits() {
        return keepsAll() ? new ReplayLimits(5, 1L << 26) : new ReplayLimits(1 + (int) (seed % 2), 1L << 16);
    }

    boolean keepsAll() {
        return seed % 4 != 0;
    }

    private static boolean isReal(ElementType type) {
        return type == ElementType.FLOAT || type == ElementType.DOUBLE;
    }

    static PropertySchedule of(long seed) {
        Random random = new Random(seed * 0x9e3779b97f4a7c15L);
        int size = 1 + random.nextInt(5);
        Optional<Keeping> keeping = random.nextInt(4) == 0 ? Optional.empty() : Optional.of(keeping(random));
        boolean isAsync = random.nextInt(3) == 0;
        List<Version> versions = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            List<Op> ops = new ArrayList<>();
            for (int j = random.nextInt(6); j > 0; j--) {
                ops.add(op(random, isAsync));
            }
            versions.add(new Version(ops, keeping.orElseGet(() -> keeping(random))));
        }
        List<Death> deaths = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            deaths.add(death(random, size, versions));
        }
        int state = random.nextInt(6) == 0 ? random.nextInt(200_000) : random.nextInt(200);
        Optional<Silence> silence =
                random.nextInt(5) == 0 ? Optional.of(silence(random, size, versions)) : Optional.empty();
        return new PropertySchedule(
                seed,
                size,
                List.copyOf(versions),
                state,
                random.nextBoolean(),
                random.nextInt(3) == 0,
                deaths,
                silence);
    }

    private static Keeping keeping(Random random) {
        return any(random, List.of(Keeping.GLOBAL, Keeping.GLOBAL, Keeping.LOCAL, Keeping.LAZY));
    }

    private static Silence silence(Random random, int size, List<Version> versions) {
        int version = random.nextInt(versions.size());
        return new Silence(
                random.nextInt(size),
                version,
                random.nextInt(versions.get(version).ops().size() + 2),
                random.nextBoolean());
    }

    private static Op op(Random random, boolean mayBeAsync) {
        int[] counts = random.nextInt(10) < 6 ? SMALL : random.nextInt(6) > 0 ? MIDDLE : LARGE;
        Kind kind = any(random, List.of(Kind.values()));
        boolean isOfBytes = kind == Kind.BROADCAST_BYTES || kind == Kind.ALL_GATHER_BYTES;
        ElementType type = isOfBytes ? ElementType.BYTE : any(random, TYPES);
        List<ReduceOp> reduces = Stream.of(ReduceOp.values())
                .filter(reduce -> !isReal(type) || !Reference.isForIntegersOnly(reduce))
                .toList();
        return new Op(
                kind,
                type,
                any(random, reduces),
                counts[random.nextInt(counts.length)],
                random.nextInt(100),
                mayBeAsync && random.nextInt(3) > 0);
    }

    private static Death death(Random random, int size, List<Version> versions) {
        int version = random.nextInt(versions.size());
        Instant instant = random.nextInt(2) == 0 ? Instant.OPERATION : any(random, List.of(Instant.values()));
        return new Death(
                instant,
                random.nextInt(size),
                version,
                random.nextInt(versions.get(version).ops().size() + 2),
                random.nextInt(3) == 0 ? 1 : 0,
                random.nextInt(3) == 0 ? 1 + random.nextInt(300) : 0);
    }

    private static <T> T any(Random random, List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    @Override
    public String toString() {
        return "seed " + seed + ": " + size + " workers, state of " + state + " bytes, "
                + (isReplacing ? "the dead are replaced" : "the dead are not replaced") + (grows ? ", grows" : "")
                + versions.stream()
                        .map(version -> "\n  " + version.ops() + " then checkpoint " + version.keeping())
                        .collect(Collectors.joining())
                + deaths.stream().map(death -> "\n  dies: " + death).collect(Collectors.joining())
                + silence.map(silent -> "\n  stands still: " + silent).orElse("");
    }
}
