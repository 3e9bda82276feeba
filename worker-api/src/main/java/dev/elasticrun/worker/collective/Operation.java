/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What the ranks do together, as the first frame of each operation states it. Ranks whose statements differ have run
 * apart: that is an error in the program, and told as one.
 *
 * @param seq 0-based number of the operation in this collective
 * @param reduce set exactly for ALL_REDUCE
 * @param root rank that the data comes from; 0 if the kind has none
 * @param count elements, or the checkpoint version; not compared if the kind does not know it in advance
 */
record Operation(
        long seq, Kind kind, ElementType type, @Nullable ReduceOp reduce, int root, long count) {
    static final int BYTES = 24;

    enum Kind {
        ALL_REDUCE,
        BROADCAST,
        BARRIER,
        CHECKPOINT,
        LEAVE
    }

    void write(ByteBuffer out) {
        out.putLong(seq);
        out.put((byte) kind.ordinal()).put((byte) type.ordinal());
        out.put((byte) (reduce == null ? -1 : reduce.ordinal())).put((byte) 0);
        out.putInt(root).putLong(count);
    }

    static Operation read(ByteBuffer in) {
        if (in.remaining() < BYTES) {
            throw new IllegalArgumentException("operation: " + in.remaining() + " bytes (expected: " + BYTES + ")");
        }
        long seq = in.getLong();
        Kind kind = constant(Kind.values(), in.get(), "kind");
        ElementType type = constant(ElementType.values(), in.get(), "type");
        byte reduce = in.get();
        in.get();
        return new Operation(
                seq,
                kind,
                type,
                reduce == -1 ? null : constant(ReduceOp.values(), reduce, "reduce"),
                in.getInt(),
                in.getLong());
    }

    String describe() {
        return switch (kind) {
            case ALL_REDUCE -> "allReduce(" + type.word() + "[" + count + "], " + reduce + ")";
            case BROADCAST -> "broadcast(" + type.word() + "[" + (count < 0 ? "" : count) + "], root " + root + ")";
            case BARRIER -> "barrier()";
            case CHECKPOINT -> "checkpoint(version " + count + ")";
            case LEAVE -> "close()";
        };
    }

    private static <E> E constant(E[] constants, byte ordinal, String name) {
        if (ordinal < 0 || ordinal >= constants.length) {
            throw new IllegalArgumentException(name + ": " + ordinal + " (expected: below " + constants.length + ")");
        }
        return constants[ordinal];
    }
}
