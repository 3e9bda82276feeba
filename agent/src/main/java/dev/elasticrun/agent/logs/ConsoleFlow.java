/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Counts what streams were given and what they took, in pieces that are small enough to see a slow one move. Written by the
 * thread {@code log-tail}, read by any.
 */
final class ConsoleFlow {
    private static final int PIECE_BYTES = 16 * 1024;

    private volatile long given;
    private volatile long taken;

    long taken() {
        return taken;
    }

    /** Bytes that a stream has not taken yet. */
    long underWay() {
        return given - taken;
    }

    OutputStream count(OutputStream stream) {
        return new Counted(stream);
    }

    private final class Counted extends OutputStream {
        private final OutputStream stream;

        Counted(OutputStream stream) {
            this.stream = stream;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        // One thread writes: nothing is lost between a read and a write.
        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate")
        public void write(byte[] bytes, int offset, int length) throws IOException {
            given += length;
            int done = 0;
            try {
                while (done < length) {
                    int piece = Math.min(PIECE_BYTES, length - done);
                    stream.write(bytes, offset + done, piece);
                    stream.flush();
                    done += piece;
                    taken += piece;
                }
            } finally {
                // A stream that failed takes nothing more of this.
                taken += length - done;
            }
        }

        @Override
        public void flush() throws IOException {
            stream.flush();
        }
    }
}
