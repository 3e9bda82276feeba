/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.collective.OperationListener.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the workers of one test do and when they die, all of it drawn from the seed.
 *
 * @param versions operations before each checkpoint; those after the last one too
 * @param state bytes of a checkpoint, about
 * @param isReplacing the dead are replaced in the same world; otherwise the world shrinks
 * @param grows one more worker comes with the first new round of a changed world
 */
record PropertySchedule(
        long seed,
        int size,
        List<List<Op>> versions,
        int state,
        boolean isReplacing,
        boolean grows,
        List<Death> deaths) {
    /** Elements, around the lengths at which operations change their way. */
    private static final int[] SMALL = {0, 1, 2, 3, 5, 31, 64, 500};

    private static final int[] MIDDLE = {1023, 1024, 1025, 4095, 4096, 4097, 8191, 8192, 8193};
    private static final int[] LARGE = {16_383, 16_385, 32_767, 32_769, 50_001};
    private static final List<ElementType> TYPES =
            List.of(ElementType.BYTE, ElementType.INT, ElementType.LONG, ElementType.FLOAT, ElementType.DOUBLE);

    enum Kind {
        ALL_REDUCE,
        BROADCAST,
        BROADCAST_BYTES,
        ALL_GATHER,
        BARRIER
    }

    /** @param root any number; modulo the size of the world */
    record Op(Kind kind, ElementType type, ReduceOp reduce, int count, int root) {
        @Override
        public String toString() {
            return switch (kind) {
                case ALL_REDUCE -> "allReduce(" + type + "[" + count + "], " + reduce + ")";
                case BROADCAST -> "broadcast(" + type + "[" + count + "], " + root + ")";
                case BROADCAST_BYTES -> "broadcast(" + count + " bytes, " + root + ")";
                case ALL_GATHER -> "allGather(about " + count + " bytes)";
                case BARRIER -> "barrier()";
            };
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
        List<List<Op>> versions = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            List<Op> ops = new ArrayList<>();
            for (int j = random.nextInt(6); j > 0; j--) {
                ops.add(op(random));
            }
            versions.add(List.copyOf(ops));
        }
        List<Death> deaths = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            deaths.add(death(random, size, versions));
        }
        int state = random.nextInt(4) == 0 ? random.nextInt(200_000) : random.nextInt(200);
        return new PropertySchedule(
                seed, size, List.copyOf(versions), state, random.nextBoolean(), random.nextInt(3) == 0, deaths);
    }

    private static Op op(Random random) {
        int[] counts = random.nextInt(10) < 6 ? SMALL : random.nextInt(4) < 3 ? MIDDLE : LARGE;
        ElementType type = any(random, TYPES);
        List<ReduceOp> reduces = Stream.of(ReduceOp.values())
                .filter(reduce -> !isReal(type) || !Reference.isForIntegersOnly(reduce))
                .toList();
        return new Op(
                any(random, List.of(Kind.values())),
                type,
                any(random, reduces),
                counts[random.nextInt(counts.length)],
                random.nextInt(100));
    }

    private static Death death(Random random, int size, List<List<Op>> versions) {
        int version = random.nextInt(versions.size());
        Instant instant = random.nextInt(2) == 0 ? Instant.OPERATION : any(random, List.of(Instant.values()));
        return new Death(
                instant,
                random.nextInt(size),
                version,
                random.nextInt(versions.get(version).size() + 2),
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
                + versions.stream().map(ops -> "\n  " + ops).collect(Collectors.joining(" checkpoint"))
                + deaths.stream().map(death -> "\n  dies: " + death).collect(Collectors.joining());
    }
}
