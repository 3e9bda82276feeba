/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** What {@code /proc} has about processes of this host. Any thread. */
public final class Processes {
    private static final Path PROC = Path.of("/proc");

    private Processes() {}

    /**
     * A process that was found by what it carries.
     *
     * @param command its words, separated by blanks
     */
    public record Found(ProcessHandle handle, String command) {
        @Override
        public String toString() {
            return "process " + handle.pid() + ": " + command;
        }
    }

    /** Whether a process runs: one that is dead but not yet waited for by the system's first process does not. */
    public static boolean isRunning(ProcessHandle handle) {
        return handle.isAlive() && "ZX".indexOf(state(PROC.resolve(Long.toString(handle.pid())))) < 0;
    }

    /** Whether it has ended, and its parent has not waited for it. */
    public static boolean isZombie(ProcessHandle handle) {
        return state(PROC.resolve(Long.toString(handle.pid()))) == 'Z';
    }

    /** Whether no thread of it runs since a signal stopped them; false of a process that has ended. */
    public static boolean isStopped(ProcessHandle handle) {
        if (!isRunning(handle)) {
            return false;
        }
        try (Stream<Path> threads =
                Files.list(PROC.resolve(Long.toString(handle.pid())).resolve("task"))) {
            return threads.allMatch(thread -> "TtZX".indexOf(state(thread)) >= 0);
        } catch (IOException | UncheckedIOException ended) {
            return false;
        }
    }

    /**
     * Processes of this user, other than this one, that have this text in their environment, or one of the names in their
     * command line.
     */
    public static List<Found> carrying(String environment, Collection<String> names) {
        List<Found> found = new ArrayList<>();
        ProcessHandle.allProcesses()
                .filter(handle -> handle.pid() != ProcessHandle.current().pid())
                .forEach(handle -> {
                    Path process = PROC.resolve(Long.toString(handle.pid()));
                    String command = read(process.resolve("cmdline")).replace('\0', ' ');
                    if (read(process.resolve("environ")).contains(environment)
                            || names.stream().anyMatch(command::contains)) {
                        found.add(new Found(handle, command));
                    }
                });
        return found;
    }

    /** See proc(5): {@code pid (name) state ...}, where the name may hold anything. */
    private static char state(Path process) {
        String stat = read(process.resolve("stat"));
        int state = stat.lastIndexOf(')') + 2;
        return state < stat.length() ? stat.charAt(state) : 'X';
    }

    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            // It has ended, or belongs to another user.
            return "";
        }
    }
}
