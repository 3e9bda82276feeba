/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.directory.OwnDirectory;
import dev.elasticrun.agent.directory.RunDirectory;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/**
 * Checks which user owns the directories that logs go to. A name in {@code /tmp} is predictable, and what is below it
 * could belong to any user.
 */
public final class LogDirectories {
    private static final int ROOT = 0;
    // Another process that ends meanwhile removes the shared directory if it is empty.
    private static final int ATTEMPTS = 10;

    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private LogDirectories() {}

    /** Makes the directory of all logs if it is absent; returns what was expected of it if it is unsuitable. */
    public static Optional<String> expectation(Path directory) {
        return expectation(directory, directory.equals(SettingValues.DEFAULTS.get(Settings.LOG_DIR)));
    }

    /** @param isForetold whether others know where it is before it is there */
    public static Optional<String> expectation(Path directory, boolean isForetold) {
        for (int attempt = 1; ; attempt++) {
            try {
                return objection(directory, isForetold);
            } catch (IOException e) {
                if (attempt == ATTEMPTS) {
                    return Optional.of("a directory that can be written; " + e);
                }
            }
        }
    }

    private static Optional<String> objection(Path directory, boolean isForetold) throws IOException {
        Files.createDirectories(directory, PRIVATE);
        if (!Files.isWritable(directory)) {
            if (Files.notExists(directory)) {
                throw new NoSuchFileException(directory.toString());
            }
            return Optional.of("a directory that can be written");
        }
        if (isForetold) {
            return OwnDirectory.objection(directory)
                    .map(objection -> "a directory of this user only, here or by --log-dir; it " + objection);
        }
        boolean isOpen = OwnDirectory.isOpen(directory, false) && owner(directory) != ROOT;
        return isOpen
                ? Optional.of("a directory in which not every user can rename and replace files, by chmod o-w or "
                        + "chmod +t")
                : Optional.empty();
    }

    /** Makes those of a run and of a node. That of a run may be there, and then be the group's, too. */
    public static void make(NodeFiles files) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                makeOnce(files);
                return;
            } catch (NoSuchFileException | FileAlreadyExistsException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static void makeOnce(NodeFiles files) throws IOException {
        Files.createDirectories(files.logDir(), PRIVATE);
        boolean isOwn = Files.isDirectory(files.run(), LinkOption.NOFOLLOW_LINKS)
                && owner(files.run()) == RunDirectory.uid()
                && !OwnDirectory.isOpen(files.run(), false);
        if (!isOwn) {
            OwnDirectory.make(files.run());
        }
        OwnDirectory.make(files.directory());
    }

    /** What is logged about a directory that is used all the same; empty when all is well. */
    public static Optional<String> warning(Path directory) throws IOException {
        return OwnDirectory.isOpen(directory, true)
                ? Optional.of(
                        "--log-dir: others can rename and replace files in " + directory + "; chmod +t forbids that")
                : Optional.empty();
    }

    private static int owner(Path directory) throws IOException {
        return (Integer) Files.getAttribute(directory, "unix:uid");
    }
}
