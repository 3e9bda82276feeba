/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.StreamedSnapshot;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;

/** A state of which only the number is in memory: bytes of any length follow from it, and are verified when they are read. */
public final class PatternState implements StreamedSnapshot {
    /** Of no relation to blocks and chunks. */
    private static final int PIECE = 70_001;

    private final LongUnaryOperator lengths;
    private long number;
    private boolean isDirect;

    public PatternState(long length) {
        this(any -> length);
    }

    /** @param lengths of the state of each number */
    PatternState(LongUnaryOperator lengths) {
        this.lengths = lengths;
    }

    public PatternState number(long newNumber) {
        number = newNumber;
        return this;
    }

    public long number() {
        return number;
    }

    @Override
    public void save(WritableByteChannel to) throws IOException {
        to.write(ByteBuffer.allocate(Long.BYTES).putLong(0, number));
        SplittableRandom random = new SplittableRandom(number);
        for (long left = lengths.applyAsLong(number); left > 0; ) {
            byte[] piece = piece(random, left);
            isDirect = !isDirect;
            ByteBuffer bytes = isDirect ? ByteBuffer.allocateDirect(piece.length) : ByteBuffer.allocate(piece.length);
            to.write(bytes.put(piece).flip());
            left -= piece.length;
        }
    }

    @Override
    public void restore(ReadableByteChannel from) throws IOException {
        ByteBuffer first = ByteBuffer.allocate(Long.BYTES);
        fill(from, first);
        number = first.getLong(0);
        SplittableRandom random = new SplittableRandom(number);
        for (long left = lengths.applyAsLong(number); left > 0; ) {
            ByteBuffer expected = ByteBuffer.wrap(piece(random, left));
            ByteBuffer found = ByteBuffer.allocate(expected.remaining());
            fill(from, found);
            if (!found.flip().equals(expected)) {
                throw new IOException("other bytes " + left + " before the end of number " + number);
            }
            left -= expected.remaining();
        }
        if (from.read(ByteBuffer.allocate(1)) >= 0) {
            throw new IOException("more than " + lengths.applyAsLong(number) + " bytes of number " + number);
        }
    }

    private static byte[] piece(SplittableRandom random, long left) {
        byte[] piece = new byte[(int) Math.min(PIECE, left)];
        random.nextBytes(piece);
        return piece;
    }

    private static void fill(ReadableByteChannel from, ByteBuffer to) throws IOException {
        while (to.hasRemaining()) {
            if (from.read(to) < 0) {
                throw new EOFException("the state ends early");
            }
        }
    }
}
