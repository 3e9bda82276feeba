/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.nio.ByteBuffer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the ranks do together, as the first frame of each operation states it. Ranks whose statements differ have run
 * apart: that is an error in the program, and told as one.
 *
 * @param seq 0-based number of the operation in this collective
 * @param reduce set exactly for kinds that combine values
 * @param root rank that the data comes from, or which way of checkpoint it is; 0 if the kind has none
 * @param count elements, or the checkpoint version; not compared if the kind does not know it in advance
 */
record Operation(
        long seq, Kind kind, ElementType type, @Nullable ReduceOp reduce, int root, long count) {
    private static final String[] CHECKPOINTS = {"checkpoint", "checkpoint with local", "lazyCheckpoint"};

    static final int BYTES = 24;

    enum Kind {
        ALL_REDUCE(1),
        BROADCAST(2),
        BARRIER(3),
        CHECKPOINT(4),
        LEAVE(5),
        ALL_GATHER(6),
        REDUCE_SCATTER(7);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        int code() {
            return code;
        }
    }

    void write(ByteBuffer out) {
        out.putLong(seq);
        out.put((byte) kind.code()).put((byte) type.code());
        out.put((byte) (reduce == null ? 0 : reduce.code())).put((byte) 0);
        out.putInt(root).putLong(count);
    }

    static Operation read(ByteBuffer in) {
        if (in.remaining() < BYTES) {
            throw new IllegalArgumentException("operation: " + in.remaining() + " bytes (expected: " + BYTES + ")");
        }
        long seq = in.getLong();
        Kind kind = constant("kind", in.get(), Kind.values(), Kind::code);
        ElementType type = constant("type", in.get(), ElementType.values(), ElementType::code);
        byte reduce = in.get();
        in.get();
        return new Operation(
                seq,
                kind,
                type,
                reduce == 0 ? null : constant("reduce", reduce, ReduceOp.values(), ReduceOp::code),
                in.getInt(),
                in.getLong());
    }

    String describe() {
        return switch (kind) {
            case ALL_REDUCE -> "allReduce(" + type.word() + "[" + count + "], " + reduce + ")";
            case BROADCAST -> "broadcast(" + type.word() + "[" + (count < 0 ? "" : count) + "], root " + root + ")";
            case BARRIER -> "barrier()";
            case CHECKPOINT -> CHECKPOINTS[root % CHECKPOINTS.length] + "(version " + count + ")";
            case LEAVE -> "close()";
            case ALL_GATHER -> "allGather(" + type.word() + "[" + count + "])";
            case REDUCE_SCATTER -> "reduceScatter(" + type.word() + "[" + count + "], " + reduce + ")";
        };
    }

    private static <E> E constant(String name, byte code, E[] constants, ToIntFunction<E> codeOf) {
        for (E constant : constants) {
            if (codeOf.applyAsInt(constant) == code) {
                return constant;
            }
        }
        throw new IllegalArgumentException(name + ": " + code + " (expected: a known code)");
    }
}
