/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.directory;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/**
 * Decides whether a directory can hold only what this user put there. Names in directories that all users can write are
 * predictable.
 */
public final class OwnDirectory {
    private static final int STICKY = 01000;

    private OwnDirectory() {}

    /**
     * Describes, as owner and mode, why the contents may belong to another user; empty when it is a directory, no link,
     * of this process's user that no other user can write to.
     *
     * @throws NoSuchFileException when it does not exist
     */
    public static Optional<String> objection(Path directory) throws IOException {
        return objection(directory, RunDirectoryBase.userId());
    }

    static Optional<String> objection(Path directory, int user) throws IOException {
        PosixFileAttributes found =
                Files.readAttributes(directory, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        int owner = (Integer) Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        if (found.isDirectory() && owner == user && !isWritableByOthers(found.permissions())) {
            return Optional.empty();
        }
        String kind = found.isDirectory() ? "" : found.isSymbolicLink() ? "is a link, " : "is no directory, ";
        return Optional.of(kind + "belongs to user " + owner + " with mode "
                + PosixFilePermissions.toString(found.permissions()) + " (expected: a directory of user " + user
                + " that others cannot write)");
    }

    /** Makes a directory for this user only, unless it is there; one that others could have filled is refused. */
    public static void make(Path directory) throws IOException {
        try {
            Files.createDirectory(directory, PrivateFiles.DIRECTORY);
        } catch (FileAlreadyExistsException made) {
            Optional<String> objection = objection(directory);
            if (objection.isPresent()) {
                throw new AccessDeniedException(directory.toString(), null, objection.get());
            }
        }
    }

    /** Whether the group or all can put files into it, and rename those of others: the sticky bit forbids the latter. */
    public static boolean isOpen(Path directory, boolean groupCounts) throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(directory);
        boolean isSticky = ((Integer) Files.getAttribute(directory, "unix:mode") & STICKY) != 0;
        return !isSticky
                && (permissions.contains(PosixFilePermission.OTHERS_WRITE)
                        || (groupCounts && permissions.contains(PosixFilePermission.GROUP_WRITE)));
    }

    /** Whether the group or all can read a file, where it leads to if it is a link. */
    public static boolean isReadableByOthers(Path file) throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        return permissions.contains(PosixFilePermission.GROUP_READ)
                || permissions.contains(PosixFilePermission.OTHERS_READ);
    }

    private static boolean isWritableByOthers(Set<PosixFilePermission> permissions) {
        return permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE);
    }
}
