/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.collective.PropertySchedule.Op;
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
    private final Map<Place, long[]> results = new ConcurrentHashMap<>();

    private record Place(int version, int index, int world) {}

    PropertyReference(PropertySchedule schedule) {
        this.schedule = schedule;
    }

    /** What a rank brings to an operation. */
    long[] input(int version, int index, int rank) {
        Op op = schedule.versions().get(version).get(index);
        long[] values = new long[length(op, rank)];
        long state = mix(schedule.seed() * 31 + version * 1009L + index * 17L + rank * 7919L);
        for (int i = 0; i < values.length; i++) {
            state = mix(state + i);
            values[i] = inRange(op, state);
        }
        return values;
    }

    long[] result(int version, int index, int world) {
        return results.computeIfAbsent(new Place(version, index, world), place -> compute(version, index, world));
    }

    /** The model after these worlds, each of which completed one version. */
    long model(List<Integer> worlds) {
        long model = schedule.seed();
        for (int version = 0; version < worlds.size(); version++) {
            int operations = schedule.versions().get(version).size();
            for (int index = 0; index < operations; index++) {
                model = fold(model, result(version, index, worlds.get(version)));
            }
        }
        return model;
    }

    static long fold(long model, long[] result) {
        return mix(model ^ Arrays.hashCode(result));
    }

    /** Lengths of an allGather's parts differ by rank. */
    static int length(Op op, int rank) {
        return switch (op.kind()) {
            case ALL_GATHER -> op.count() * (rank + 1) % 5000;
            case BARRIER -> 0;
            default -> op.count();
        };
    }

    private long[] compute(int version, int index, int world) {
        Op op = schedule.versions().get(version).get(index);
        return switch (op.kind()) {
            case ALL_REDUCE -> reduce(op, version, index, world);
            case BROADCAST, BROADCAST_BYTES -> input(version, index, op.root() % world);
            case ALL_GATHER -> {
                long[] all = {};
                for (int rank = 0; rank < world; rank++) {
                    long[] part = input(version, index, rank);
                    int at = all.length;
                    all = Arrays.copyOf(all, at + part.length);
                    System.arraycopy(part, 0, all, at, part.length);
                }
                yield all;
            }
            case BARRIER -> new long[0];
        };
    }

    private long[] reduce(Op op, int version, int index, int world) {
        long[] all = input(version, index, 0);
        for (int rank = 1; rank < world; rank++) {
            long[] part = input(version, index, rank);
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
        if (op.kind() == PropertySchedule.Kind.BROADCAST_BYTES || op.kind() == PropertySchedule.Kind.ALL_GATHER) {
            return (byte) random;
        }
        return switch (op.type()) {
            case BYTE, INT, LONG -> narrow(op.type(), random);
            default -> op.reduce() == ReduceOp.PROD ? 1 + (random & 1) : random & 0xff;
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
