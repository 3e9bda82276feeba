/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.collective.PropertySchedule.Op;
import java.util.Arrays;
import java.util.function.Consumer;

/** One operation of a schedule, on arrays of its type. Looks that a call that fails leaves its argument alone. */
final class PropertyCall {
    private PropertyCall() {}

    static long[] run(Collective collective, Op op, long[] input) {
        return switch (op.kind()) {
            case ALL_REDUCE, BROADCAST -> typed(collective, op, input);
            case BROADCAST_BYTES -> longs(collective.broadcast(bytes(input), op.root() % collective.worldSize()));
            case ALL_GATHER ->
                collective.allGather(bytes(input)).stream()
                        .flatMapToLong(part -> Arrays.stream(longs(part)))
                        .toArray();
            case BARRIER -> {
                collective.barrier();
                yield new long[0];
            }
        };
    }

    private static long[] typed(Collective collective, Op op, long[] input) {
        int root = op.root() % collective.worldSize();
        boolean isReduce = op.kind() == PropertySchedule.Kind.ALL_REDUCE;
        switch (op.type()) {
            case LONG -> {
                long[] values = input.clone();
                guard(values, long[]::clone, Arrays::equals, v -> {
                    if (isReduce) {
                        collective.allReduce(v, op.reduce());
                    } else {
                        collective.broadcast(v, root);
                    }
                });
                return values;
            }
            case BYTE -> {
                byte[] values = bytes(input);
                guard(values, byte[]::clone, Arrays::equals, v -> {
                    if (isReduce) {
                        collective.allReduce(v, op.reduce());
                    } else {
                        System.arraycopy(collective.broadcast(v, root), 0, v, 0, v.length);
                    }
                });
                return longs(values);
            }
            case INT -> {
                int[] values =
                        Arrays.stream(input).mapToInt(value -> (int) value).toArray();
                guard(values, int[]::clone, Arrays::equals, v -> {
                    if (isReduce) {
                        collective.allReduce(v, op.reduce());
                    } else {
                        collective.broadcast(v, root);
                    }
                });
                return Arrays.stream(values).asLongStream().toArray();
            }
            case DOUBLE -> {
                double[] values = Arrays.stream(input).asDoubleStream().toArray();
                guard(values, double[]::clone, Arrays::equals, v -> {
                    if (isReduce) {
                        collective.allReduce(v, op.reduce());
                    } else {
                        collective.broadcast(v, root);
                    }
                });
                return Arrays.stream(values).mapToLong(value -> (long) value).toArray();
            }
            default -> {
                float[] values = new float[input.length];
                for (int i = 0; i < values.length; i++) {
                    values[i] = input[i];
                }
                guard(values, float[]::clone, Arrays::equals, v -> {
                    if (isReduce) {
                        collective.allReduce(v, op.reduce());
                    } else {
                        collective.broadcast(v, root);
                    }
                });
                long[] result = new long[values.length];
                for (int i = 0; i < values.length; i++) {
                    result[i] = (long) values[i];
                }
                return result;
            }
        }
    }

    private interface Copy<T> {
        T of(T values);
    }

    private interface Same<T> {
        boolean as(T one, T other);
    }

    private static <T> void guard(T values, Copy<T> copy, Same<T> same, Consumer<T> call) {
        T before = copy.of(values);
        try {
            call.accept(values);
        } catch (WorldChangedException e) {
            if (!same.as(values, before)) {
                throw new AssertionError("the caller's array was touched", e);
            }
            throw e;
        }
    }

    private static byte[] bytes(long[] values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    private static long[] longs(byte[] bytes) {
        long[] values = new long[bytes.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = bytes[i];
        }
        return values;
    }
}
