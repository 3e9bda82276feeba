/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import dev.elasticrun.worker.collective.BootstrapScope;
import dev.elasticrun.worker.collective.ElementType;
import dev.elasticrun.worker.collective.ReduceOp;
import java.nio.ByteBuffer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the ranks do together, as the first frame of each operation states it. Ranks whose statements differ have run
 * apart: that is an error in the program, and reported as one. Can be set anew for each call, so that a call need not
 * allocate one.
 */
public final class Operation {
    public static final int BYTES = 40;
    /** In the place of a root: which way of checkpoint it is. */
    public static final int PLAIN = 0;

    public static final int WITH_LOCAL = 1;
    public static final int LAZY = 2;
    public static final int STREAMED = 3;
    public static final int WITH_STREAMED_LOCAL = 4;
    public static final int STREAMED_WITH_LOCAL = 5;
    public static final int STREAMED_WITH_STREAMED_LOCAL = 6;
    private static final String[] CHECKPOINTS = {
        "checkpoint",
        "checkpoint with local",
        "lazyCheckpoint",
        "checkpoint of a stream",
        "checkpoint with a streamed local",
        "checkpoint of a stream with local",
        "checkpoint of a stream with a streamed local"
    };
    private static final byte CUSTOM = 100;

    private Kind kind = Kind.BARRIER;
    private ElementType type = ElementType.NONE;
    private @Nullable ReduceOp reduce;
    private int root;
    private long count;
    private long version;
    private long seq;
    private long key;
    private @Nullable BootstrapScope scope;
    private boolean isParting;

    public enum Kind {
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

        private boolean isReducing() {
            return this == ALL_REDUCE || this == REDUCE_SCATTER;
        }
    }

    public Operation() {}

    public Operation(long seq, Kind kind, ElementType type, @Nullable ReduceOp reduce, int root, long count) {
        set(kind, type, reduce, root, count).at(0, seq);
    }

    /**
     * Sets the operation.
     *
     * @param newReduce for kinds that combine values; null = by the program's own reducer, or nothing to combine
     * @param newRoot rank that the data comes from; 0 if the kind has none
     * @param newCount elements, or the checkpoint version
     */
    public Operation set(Kind newKind, ElementType newType, @Nullable ReduceOp newReduce, int newRoot, long newCount) {
        kind = newKind;
        type = newType;
        reduce = newReduce;
        root = newRoot;
        count = newCount;
        key = 0;
        scope = null;
        isParting = newKind == Kind.LEAVE;
        return this;
    }

    /** Sets its position: the seq-th operation since the checkpoint with that version. */
    public Operation at(long newVersion, long newSeq) {
        version = newVersion;
        seq = newSeq;
        return this;
    }

    /** Marks it as the bootstrap operation whose name has this digest. */
    public Operation named(long newKey, @Nullable BootstrapScope newScope) {
        key = newKey;
        scope = newScope;
        return this;
    }

    /** Whether workers may end after it; not stated to others. */
    public Operation parting(boolean isLast) {
        isParting = isLast;
        return this;
    }

    /** Whether a rank that has stated this operation may be gone before all others have done it. */
    boolean isParting() {
        return isParting;
    }

    public long version() {
        return version;
    }

    /** Digest of the bootstrap operation's name; 0 = it is none. */
    public long key() {
        return key;
    }

    public long seq() {
        return seq;
    }

    public Kind kind() {
        return kind;
    }

    public ElementType type() {
        return type;
    }

    @Nullable
    public ReduceOp reduce() {
        return reduce;
    }

    public int root() {
        return root;
    }

    public long count() {
        return count;
    }

    /** Whether both do the same to the same number of the same values, at whatever time. */
    public boolean isLike(Operation other) {
        return kind == other.kind
                && type == other.type
                && reduce == other.reduce
                && root == other.root
                && count == other.count;
    }

    public Operation copy() {
        return new Operation()
                .set(kind, type, reduce, root, count)
                .at(version, seq)
                .named(key, scope);
    }

    public void write(ByteBuffer out) {
        out.putLong(seq);
        out.put((byte) kind.code()).put((byte) type.code()).put(reduceCode()).put(scopeCode());
        out.putInt(root).putLong(count).putLong(version).putLong(key);
    }

    /** Whether the frame states this operation; its position moves behind the statement if it does. */
    boolean matches(ByteBuffer in) {
        int start = in.position();
        boolean isSame = in.remaining() >= BYTES
                && in.getLong() == seq
                && in.get() == kind.code()
                && in.get() == type.code()
                && in.get() == reduceCode()
                && in.get() == scopeCode()
                && in.getInt() == root
                && in.getLong() == count
                && in.getLong() == version
                && in.getLong() == key;
        if (!isSame) {
            in.position(start);
        }
        return isSame;
    }

    public static Operation read(ByteBuffer in) {
        if (in.remaining() < BYTES) {
            throw new IllegalArgumentException("operation: " + in.remaining() + " bytes (expected: " + BYTES + ")");
        }
        long seq = in.getLong();
        Kind kind = constant("kind", in.get(), Kind.values(), Kind::code);
        ElementType type = constant("type", in.get(), ElementType.values(), ElementType::code);
        byte reduce = in.get();
        byte scope = in.get();
        return new Operation()
                .set(
                        kind,
                        type,
                        reduce == 0 || reduce == CUSTOM
                                ? null
                                : constant("reduce", reduce, ReduceOp.values(), ReduceOp::code),
                        in.getInt(),
                        in.getLong())
                .at(in.getLong(), seq)
                .named(
                        in.getLong(),
                        scope == 0 ? null : constant("scope", scope, BootstrapScope.values(), Operation::codeOf));
    }

    public String describe() {
        return (key == 0 ? "" : "bootstrap ") + what() + (scope == null ? "" : " of scope " + scope);
    }

    /** The operation's position as text. */
    public String place() {
        return "operation " + seq + (version == 0 ? "" : " since checkpoint " + version);
    }

    private String what() {
        String values = type.word() + "[" + count + "]";
        return switch (kind) {
            case ALL_REDUCE -> "allReduce(" + values + ", " + reducer() + ")";
            case BROADCAST -> "broadcast(" + values + ", root " + root + ")";
            case BARRIER -> "barrier()";
            case CHECKPOINT -> CHECKPOINTS[Math.floorMod(root, CHECKPOINTS.length)] + "(version " + count + ")";
            case LEAVE -> "close()";
            case ALL_GATHER -> "allGather(" + values + ")";
            case REDUCE_SCATTER -> "reduceScatter(" + values + ", " + reducer() + ")";
        };
    }

    private byte scopeCode() {
        return (byte) (scope == null ? 0 : codeOf(scope));
    }

    private static int codeOf(BootstrapScope scope) {
        return scope == BootstrapScope.JOB ? 1 : 2;
    }

    private String reducer() {
        return reduce == null ? "a reducer of the program" : reduce.toString();
    }

    private byte reduceCode() {
        if (reduce != null) {
            return (byte) reduce.code();
        }
        return kind.isReducing() ? CUSTOM : 0;
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
