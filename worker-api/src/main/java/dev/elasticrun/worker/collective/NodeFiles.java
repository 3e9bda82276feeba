/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.contract.CheckpointId;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoint files in the node's run directory, which outlive its workers: {@code 0} and {@code 1} with the global
 * state, written by local rank 0; a version goes to the one named by its parity, so the newest but one stays whole while
 * the newest is written. User thread.
 */
final class NodeFiles {
    private final Path directory;
    private final CheckpointWriter writer;
    private @Nullable CheckpointId newest;

    NodeFiles(Path directory, CheckpointWriter writer) {
        this.directory = directory;
        this.writer = writer;
    }

    /** The whole ones of this incarnation, newest first. */
    List<CheckpointFile> read(String incarnation, ContentPool pool) {
        return CheckpointWriter.read(List.of(directory.resolve("0"), directory.resolve("1")), incarnation, pool);
    }

    /** Has the checkpoint written, unless that was done. */
    void keep(Checkpoint checkpoint, int localRank) {
        CheckpointId id = checkpoint.id();
        if (localRank != 0 || id.equals(newest)) {
            return;
        }
        newest = id;
        checkpoint.content().retain();
        Part global = new Part(Part.GLOBAL, id.digest(), checkpoint.content());
        CheckpointFile file = new CheckpointFile(id, checkpoint.worldSize(), -1, List.of(global));
        Path path = directory.resolve(Long.toString(id.version() & 1));
        writer.write(new CheckpointWriter.Job("global", path, file, false, () -> {}));
    }
}
