/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.Optional;

/** Puts the loop that a process is in before its state. Of the thread of the loop. */
final class LoopMarker {
    private LoopMark present = new LoopMark(1, false);

    /** Number of the loop that the process is in. */
    long loop() {
        return present.loop();
    }

    /** The process is in that loop now. */
    void begin(long loop) {
        present = new LoopMark(loop, false);
    }

    /** What is committed next is the end of the loop. */
    void end() {
        present = new LoopMark(present.loop(), true);
    }

    /** The loop could not be ended, and continues. */
    void resume() {
        begin(present.loop());
    }

    /**
     * Whether the loop begins, as no checkpoint of it was made. Throws if this process cannot continue from the newest one.
     *
     * @param newest mark of the newest checkpoint; empty = there is none
     */
    boolean isAtBegin(Optional<LoopMark> newest) {
        long loop = present.loop();
        boolean isBegin = newest.isEmpty() ? loop == 1 : newest.get().isBefore(loop);
        boolean isThere = newest.isPresent() && newest.get().loop() >= loop;
        if (!isBegin && !isThere) {
            throw new IllegalStateException("cannot go back to loop "
                    + newest.map(LoopMark::loop).orElse(1L) + ": this process is in loop " + loop
                    + " (expected: a new process)");
        }
        return isBegin;
    }

    /** Whether the loop has ended where that checkpoint was made. */
    boolean isPast(Optional<LoopMark> newest) {
        return newest.isPresent() && newest.get().isPast(present.loop());
    }

    Snapshotable around(Snapshotable state) {
        return new Snapshotable() {
            @Override
            public byte[] save() {
                return present.before(state.save());
            }

            @Override
            public void restore(byte[] snapshot) {
                state.restore(Arrays.copyOfRange(snapshot, LoopMark.BYTES, snapshot.length));
            }
        };
    }

    StreamedSnapshot around(StreamedSnapshot state) {
        return new StreamedSnapshot() {
            @Override
            public void save(WritableByteChannel to) throws IOException {
                to.write(ByteBuffer.wrap(present.encode()));
                state.save(to);
            }

            @Override
            public void restore(ReadableByteChannel from) throws IOException {
                LoopMark.read(from);
                state.restore(from);
            }
        };
    }
}
