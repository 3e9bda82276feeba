/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Makes the files of a channel that two processes map. */
final class SharedFile {
    private SharedFile() {}

    /**
     * Makes a file, in full before it has its name, in place of an earlier one. All of it is written, so that a later store
     * cannot find the disk full.
     *
     * @param initial all that the file contains at first
     * @return the file, mapped for reads and writes
     */
    static ByteBuffer create(Path file, ByteBuffer initial) throws IOException {
        Path temporary = file.resolveSibling("." + file.getFileName());
        int size = initial.remaining();
        try (FileChannel channel = FileChannel.open(
                temporary,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            while (initial.hasRemaining()) {
                channel.write(initial);
            }
            ByteBuffer map = channel.map(FileChannel.MapMode.READ_WRITE, 0, size);
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
            return map;
        }
    }
}
