/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.contract.CheckpointId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Makes a checkpoint of a state that the program writes as a stream. Local rank 0 writes the file of its node; the others
 * make the digest of the same bytes and keep none, and open that file when it is whole. User thread.
 */
public final class StagedStream {
    private final StateWriter state;
    private final String incarnation;
    private final long world;
    private final long version;
    private final int worldSize;
    private final CheckpointStore checkpointStore;

    /** @param state is called once, or twice where the file of the node cannot be opened */
    public StagedStream(
            StateWriter state,
            String incarnation,
            long world,
            long version,
            int worldSize,
            CheckpointStore checkpointStore) {
        this.state = state;
        this.incarnation = incarnation;
        this.world = world;
        this.version = version;
        this.worldSize = worldSize;
        this.checkpointStore = checkpointStore;
    }

    /**
     * Has the program write the state.
     *
     * @param isFirst whether this worker writes the file of its node
     * @throws IOException what the program threw, or why the file cannot be written
     */
    public Checkpoint write(boolean isFirst) throws IOException {
        if (isFirst) {
            try (GrowingFile file = checkpointStore.contentFiles().staged(version, expectedBytes())) {
                return write(file);
            }
        }
        StateOutput out = new StateOutput(null, 0);
        write(out);
        return Checkpoint.expected(id(out.digest()), worldSize);
    }

    /** The first worker of each node has written: takes the file of this one's. */
    public void find(Checkpoint checkpoint) throws IOException {
        if (checkpoint.isWritten()) {
            return;
        }
        Optional<CheckpointFile> staged =
                checkpointStore.contentFiles().findStaged(checkpoint.id(), checkpointStore.pool());
        if (staged.isPresent()) {
            checkpoint.found(staged.get().parts().get(0));
            return;
        }
        // The first worker has other directories, or it is gone: the round ends soon.
        try (GrowingFile file = checkpointStore.contentFiles().unnamed(expectedBytes())) {
            StateOutput out = new StateOutput(file, 0);
            write(out);
            if (out.digest() != checkpoint.id().digest()) {
                throw new IOException("the state was written twice, with different bytes");
            }
            checkpoint.found(StatePart.global(out.digest(), file.content(0, out.length())));
        }
    }

    private Checkpoint write(GrowingFile file) throws IOException {
        int begin = CheckpointFile.headerBytes(incarnation, 1);
        // What the header and the checksum will need is taken from the file system before the name is final.
        file.write(0, new byte[begin], 0, begin);
        StateOutput out = new StateOutput(file, begin);
        write(out);
        byte[] checksum =
                ByteBuffer.allocate(Integer.BYTES).putInt(out.checksum()).array();
        file.write(begin + out.length(), checksum, 0, checksum.length);
        CheckpointId id = id(out.digest());
        FileBlob content = file.content(begin, out.length());
        Checkpoint checkpoint = Checkpoint.of(id, worldSize, StatePart.global(id.digest(), content));
        try {
            ByteBuffer header = CheckpointFile.of(checkpoint, List.of(StatePart.global(id.digest(), content)))
                    .header();
            byte[] bytes = new byte[header.remaining()];
            header.get(bytes);
            file.write(0, bytes, 0, bytes.length);
        } catch (IOException e) {
            checkpoint.release();
            throw e;
        }
        return checkpoint;
    }

    private void write(StateOutput out) throws IOException {
        state.write(out);
        out.finish();
    }

    private CheckpointId id(long digest) {
        return new CheckpointId(incarnation, world, version, digest);
    }

    /** States seldom shrink. */
    private long expectedBytes() {
        return checkpointStore.newestBytes();
    }
}
