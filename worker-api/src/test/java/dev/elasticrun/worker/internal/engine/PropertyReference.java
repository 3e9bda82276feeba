/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.collective.ElementType;
import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.internal.engine.PropertySchedule.Op;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a schedule's operations must give, computed by one thread from the inputs of all ranks. All values are integers,
 * small enough for floating point to be exact in any order.
 */
final class PropertyReference {
    private final PropertySchedule schedule;
    private final Map<Place, long[]> inputs = new ConcurrentHashMap<>();
    private final Map<Place, long[]> results = new ConcurrentHashMap<>();

    private record Place(int version, int index, int rank, int world) {}

    PropertyReference(PropertySchedule schedule) {
        this.schedule = schedule;
    }

    /** What a rank brings to an operation; not to be changed. */
    long[] input(int version, int index, int rank, int world) {
        return inputs.computeIfAbsent(
                new Place(version, index, rank, world), place -> draw(version, index, rank, world));
    }

    private long[] draw(int version, int index, int rank, int world) {
        Op op = op(version, index);
        long[] values = new long[length(op, rank, world)];
        long state = mix(schedule.seed() * 31 + version * 1009L + index * 17L + rank * 7919L);
        for (int i = 0; i < values.length; i++) {
            state = mix(state + i);
            values[i] = inRange(op, state);
        }
        return values;
    }

    /** What a rank gets. */
    long[] result(int version, int index, int rank, int world) {
        long[] all =
                results.computeIfAbsent(new Place(version, index, -1, world), place -> compute(version, index, world));
        Op op = op(version, index);
        if (!isScattered(op)) {
            return all;
        }
        int[] bounds = bounds(op, all.length, world);
        return Arrays.copyOfRange(all, bounds[rank], bounds[rank + 1]);
    }

    /** The model after these worlds, each of which completed one version. */
    long model(List<Integer> worlds) {
        long model = schedule.seed();
        for (int version = 0; version < worlds.size(); version++) {
            int operations = schedule.versions().get(version).ops().size();
            for (int index = 0; index < operations; index++) {
                model = fold(model, op(version, index), result(version, index, 0, worlds.get(version)));
            }
        }
        return model;
    }

    /** Of what all ranks get alike. */
    static long fold(long model, Op op, long[] result) {
        return mix(model ^ (isScattered(op) ? op.count() : Arrays.hashCode(result)));
    }

    /** Equal parts if the operation wants them; otherwise the first has most, and every third has nothing. */
    static int[] bounds(Op op, int count, int world) {
        int[] bounds = new int[world + 1];
        for (int part = 1; part < world; part++) {
            if (op.kind() == PropertySchedule.Kind.REDUCE_SCATTER) {
                bounds[part] = part * (count / world);
            } else {
                bounds[part] = part % 3 == 2 ? bounds[part - 1] : count - (count - bounds[part - 1]) / 3;
            }
        }
        bounds[world] = count;
        return bounds;
    }

    private Op op(int version, int index) {
        return schedule.versions().get(version).ops().get(index);
    }

    private static boolean isScattered(Op op) {
        return op.kind() == PropertySchedule.Kind.REDUCE_SCATTER
                || op.kind() == PropertySchedule.Kind.REDUCE_SCATTER_PARTS;
    }

    private static int length(Op op, int rank, int world) {
        return switch (op.kind()) {
            case ALL_GATHER_BYTES -> op.count() * (rank + 1) % 5000;
            case ALL_GATHER -> op.count() / world;
            case REDUCE_SCATTER -> op.count() - op.count() % world;
            case BARRIER -> 0;
            default -> op.count();
        };
    }

    private long[] compute(int version, int index, int world) {
        Op op = op(version, index);
        return switch (op.kind()) {
            case ALL_REDUCE, ALL_REDUCE_PREPARED, REDUCE_SCATTER, REDUCE_SCATTER_PARTS ->
                reduce(op, version, index, world);
            case BROADCAST, BROADCAST_BYTES -> input(version, index, op.root() % world, world);
            case ALL_GATHER, ALL_GATHER_BYTES -> {
                long[] all = {};
                for (int rank = 0; rank < world; rank++) {
                    long[] part = input(version, index, rank, world);
                    int at = all.length;
                    all = Arrays.copyOf(all, at + part.length);
                    System.arraycopy(part, 0, all, at, part.length);
                }
                yield all;
            }
            case ALL_GATHER_IN_PLACE -> {
                long[] all = new long[op.count()];
                int[] bounds = bounds(op, op.count(), world);
                for (int rank = 0; rank < world; rank++) {
                    long[] part = input(version, index, rank, world);
                    System.arraycopy(part, bounds[rank], all, bounds[rank], bounds[rank + 1] - bounds[rank]);
                }
                yield all;
            }
            case BARRIER -> new long[0];
        };
    }

    private long[] reduce(Op op, int version, int index, int world) {
        long[] all = input(version, index, 0, world).clone();
        for (int rank = 1; rank < world; rank++) {
            long[] part = input(version, index, rank, world);
            for (int i = 0; i < all.length; i++) {
                all[i] = Reference.apply(op.reduce(), all[i], part[i]);
            }
        }
        for (int i = 0; i < all.length; i++) {
            all[i] = narrow(op.type(), all[i]);
        }
        return all;
    }

    private static long narrow(ElementType type, long value) {
        return switch (type) {
            case BYTE -> (byte) value;
            case INT -> (int) value;
            default -> value;
        };
    }

    private static long inRange(Op op, long random) {
        return switch (op.type()) {
            case BYTE, INT, LONG -> narrow(op.type(), random);
            default -> op.isReduction() && op.reduce() == ReduceOp.PROD ? 1 + (random & 1) : random & 0xff;
        };
    }

    /** Finaliser of SplitMix64 (Steele, Lea, Flood 2014). */
    private static long mix(long value) {
        long z = value + 0x9e3779b97f4a7c15L;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
