/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The file system that a checkpoint file goes to. Agent and workers send each other files through the same one where it is in
 * memory, so a checkpoint leaves room for these: 16 MiB, or a quarter of a file system that is smaller than 64 MiB.
 */
public final class CheckpointSpace {
    public static final FileAttribute<Set<PosixFilePermission>> PRIVATE_DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    public static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final long RESERVE = 16L << 20;
    private static final int RESERVED_SHARE = 4;

    private final Path directory;
    private final FileStore store;

    private CheckpointSpace(Path directory, FileStore store) {
        this.directory = directory;
        this.store = store;
    }

    /** Makes the directory if it is not there. Reads the table of all mounts: to be kept for later files. */
    public static CheckpointSpace of(Path directory) throws IOException {
        makeDirectory(directory);
        return new CheckpointSpace(directory, Files.getFileStore(directory));
    }

    /** Makes the directory if it is not there any more, for this user alone. */
    public void makeDirectory() throws IOException {
        makeDirectory(directory);
    }

    private static void makeDirectory(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory, PRIVATE_DIRECTORY);
        }
    }

    /** Throws if that many more bytes would take of what is reserved. */
    public void require(long bytes) throws IOException {
        long total = store.getTotalSpace();
        if (total <= 0) {
            // Some remote file systems do not report their size.
            return;
        }
        long free = store.getUsableSpace();
        long reserve = Math.min(RESERVE, total / RESERVED_SHARE);
        if (free < bytes + reserve) {
            throw new IOException(
                    directory + ": " + free + " bytes free (expected: " + bytes + ", and " + reserve + " to spare)");
        }
    }
}
