/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.directory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** Which process has locked a file, by what the kernel publishes of all locks. */
final class LockHolder {
    private static final Path LOCKS = Path.of("/proc/locks");
    private static final int PROCESS = 4;
    private static final int FILE = 5;

    private LockHolder() {}

    /** {@code process 123 (java)}, or that it cannot be seen from here. */
    static String of(Path file) {
        try {
            long inode = ((Number) Files.getAttribute(file, "unix:ino")).longValue();
            OptionalLong pid = pid(Files.readAllLines(LOCKS), inode);
            if (pid.isPresent()) {
                return "process " + pid.getAsLong() + " (" + name(pid.getAsLong()) + ")";
            }
        } catch (IOException | UnsupportedOperationException e) {
            // It has been removed in between, or this kernel publishes no locks.
        }
        return "a process that cannot be seen from here";
    }

    /**
     * The process that holds the first lock on a file with this inode. Devices are not compared: some file systems
     * publish in the list another device than they report for the file.
     *
     * @param locks as in {@code /proc/locks}: number, kind, mode, access, process, MAJOR:MINOR:INODE, range
     */
    static OptionalLong pid(List<String> locks, long inode) {
        return locks.stream()
                .map(line -> line.trim().split("\\s+"))
                // Those that wait have an arrow after their number.
                .filter(lock -> lock.length > FILE && lock[1].equals("POSIX") && lock[FILE].endsWith(":" + inode))
                .mapToLong(lock -> Long.parseLong(lock[PROCESS]))
                .findFirst();
    }

    private static String name(long pid) throws IOException {
        return Files.readString(Path.of("/proc", Long.toString(pid), "comm")).trim();
    }
}
