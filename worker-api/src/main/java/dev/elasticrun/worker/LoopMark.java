/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a checkpoint of a state of several loops begins with, big endian: 8 bytes that no other state begins with by chance, and
 * an int64, twice the loop's number, and one more if the loop has ended.
 *
 * @param loop the loop in which the checkpoint was made, from 1
 * @param hasEnded whether the loop's body had returned on all ranks
 */
record LoopMark(long loop, boolean hasEnded) {
    static final int BYTES = 2 * Long.BYTES;
    private static final long MAGIC = 0xE1A5_71C5_1006_5A7EL;

    /** Whether a process has nothing left to do in that loop. */
    boolean isPast(long present) {
        return loop > present || (loop == present && hasEnded);
    }

    /** Whether that loop begins from it. */
    boolean isBefore(long present) {
        return loop == present - 1 && hasEnded;
    }

    byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .putLong(MAGIC)
                .putLong(2 * loop + (hasEnded ? 1 : 0))
                .array();
    }

    byte[] before(byte[] state) {
        byte[] marked = Arrays.copyOf(encode(), Math.addExact(BYTES, state.length));
        System.arraycopy(state, 0, marked, BYTES, state.length);
        return marked;
    }

    /** That of the newest checkpoint; empty = there is none. */
    static Optional<LoopMark> of(Collective collective) {
        Reader reader = new Reader();
        return collective.loadCheckpoint(reader) ? Optional.ofNullable(reader.mark) : Optional.empty();
    }

    static LoopMark read(ReadableByteChannel from) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        while (bytes.hasRemaining() && from.read(bytes) >= 0) {
            // More of it.
        }
        bytes.flip();
        long number = bytes.remaining() == BYTES && bytes.getLong() == MAGIC ? bytes.getLong() : 0;
        if (number < 2) {
            throw new IllegalStateException("cannot continue from a checkpoint of a state that was not made with"
                    + " acrossLoops (expected: one of this program)");
        }
        return new LoopMark(number / 2, number % 2 == 1);
    }

    /** Reads no further. */
    private static final class Reader implements StreamedSnapshot {
        private @Nullable LoopMark mark;

        @Override
        public void save(WritableByteChannel to) {
            throw new IllegalStateException("a mark is not saved alone");
        }

        @Override
        public void restore(ReadableByteChannel from) throws IOException {
            mark = read(from);
        }
    }
}
