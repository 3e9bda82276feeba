/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.directory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.stream.Stream;

/** Files and directories that only their owner can use. */
public final class PrivateFiles {
    public static final FileAttribute<Set<PosixFilePermission>> DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    public static final FileAttribute<Set<PosixFilePermission>> FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private static final int DELETE_ATTEMPTS = 5;

    private PrivateFiles() {}

    /** Writes the whole file under another name and then gives it its own: a reader sees all of it or nothing. */
    public static void replace(Path temporary, Path target, byte[] content) throws IOException {
        Files.deleteIfExists(temporary);
        try (FileChannel channel =
                FileChannel.open(temporary, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), FILE)) {
            ByteBuffer rest = ByteBuffer.wrap(content);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
        } catch (IOException e) {
            try {
                Files.deleteIfExists(temporary);
            } catch (IOException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw e;
        }
        Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Deletes a tree; a process that still writes into it is given a few chances to stop. Links are not followed. */
    public static void deleteTree(Path root) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                deleteOnce(root);
                return;
            } catch (IOException e) {
                if (attempt == DELETE_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static void deleteOnce(Path path) throws IOException {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            try (Stream<Path> entries = Files.list(path)) {
                for (Path entry : (Iterable<Path>) entries::iterator) {
                    deleteOnce(entry);
                }
            } catch (NoSuchFileException gone) {
                return;
            }
        }
        Files.deleteIfExists(path);
    }
}
