/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.directory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Set;

/** Reads files that another process may have put there instead of the expected ones. */
public final class SmallFile {
    private SmallFile() {}

    /**
     * All of a regular file. A link is not followed, a pipe does not block, and what is too long is not read.
     *
     * @throws java.nio.file.NoSuchFileException when there is none
     */
    public static byte[] read(Path file, int most) throws IOException {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!found.isRegularFile()) {
            throw new IOException(file + ": not a regular file");
        }
        if (found.size() > most) {
            throw new IOException(file + ": " + found.size() + " bytes (expected: at most " + most + ")");
        }
        try (SeekableByteChannel channel =
                Files.newByteChannel(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            // It may grow meanwhile.
            ByteBuffer content = ByteBuffer.allocate((int) Math.min(channel.size(), most));
            while (content.hasRemaining() && channel.read(content) >= 0) {
                // Until its end.
            }
            return Arrays.copyOf(content.array(), content.position());
        }
    }
}
