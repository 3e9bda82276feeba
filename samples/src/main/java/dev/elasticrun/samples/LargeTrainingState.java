/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import dev.elasticrun.worker.StreamedSnapshot;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;

/**
 * The state of a training as if its model were large: behind the state itself are blocks of 1 MiB whose bytes follow from the
 * step and the block's number, so that they need no memory, and are verified when they are read.
 */
final class LargeTrainingState implements StreamedSnapshot {
    private static final int BLOCK = 1 << 20;

    private final TrainingState training;
    private final int blocks;

    LargeTrainingState(TrainingState training, int blocks) {
        this.training = training;
        this.blocks = blocks;
    }

    @Override
    public void save(WritableByteChannel to) throws IOException {
        byte[] state = training.save();
        DataOutputStream out = new DataOutputStream(Channels.newOutputStream(to));
        out.writeInt(state.length);
        out.write(state);
        out.flush();
        ByteBuffer block = filled();
        for (int number = 0; number < blocks; number++) {
            to.write(numbered(block, number));
        }
    }

    @Override
    public void restore(ReadableByteChannel from) throws IOException {
        DataInputStream in = new DataInputStream(Channels.newInputStream(from));
        training.restore(in.readNBytes(in.readInt()));
        ByteBuffer expected = filled();
        ByteBuffer found = ByteBuffer.allocate(BLOCK);
        for (int number = 0; number < blocks; number++) {
            in.readFully(found.array());
            if (!found.clear().equals(numbered(expected, number))) {
                throw new IOException("block " + number + " is not that of step " + training.step());
            }
        }
        if (in.read() >= 0) {
            throw new IOException("more than " + blocks + " blocks (expected: the same --state-mib for all workers)");
        }
    }

    private ByteBuffer filled() {
        byte[] bytes = new byte[BLOCK];
        Arrays.fill(bytes, (byte) training.step());
        return ByteBuffer.wrap(bytes);
    }

    private static ByteBuffer numbered(ByteBuffer block, int number) {
        return block.clear().putInt(0, number);
    }
}
