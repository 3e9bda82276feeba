/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.contract.CheckpointId;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Keeps the node's checkpoint files up to date, from one worker per node. A full disk costs safety, not the step. */
final class CheckpointWriter {
    private final Path directory;
    private final boolean isWriting;
    private @Nullable CheckpointId newest;
    private boolean hasFailed;

    CheckpointWriter(Path directory, boolean isWriting) {
        this.directory = directory;
        this.isWriting = isWriting;
    }

    void write(Checkpoint checkpoint) {
        if (!isWriting || checkpoint.id().equals(newest)) {
            return;
        }
        try {
            CheckpointFile.write(directory, checkpoint.id(), checkpoint.content());
            newest = checkpoint.id();
            hasFailed = false;
        } catch (IOException e) {
            if (!hasFailed) {
                System.getLogger(CheckpointWriter.class.getName())
                        .log(Level.WARNING, "cannot keep checkpoints in " + directory + ": " + e);
            }
            hasFailed = true;
        }
    }
}
