/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** Reads what {@code /proc} contains about processes. */
final class ProcessTable {
    private static final Path PROC = Path.of("/proc");
    private static final int NICENESS = 16;
    private static final int FIELDS = NICENESS + 2;

    private ProcessTable() {}

    /** Group of a process; empty when there is no such process, or only a zombie is left of it. */
    static OptionalLong groupOf(long pid) {
        return liveGroup(PROC.resolve(Long.toString(pid)));
    }

    /**
     * Groups of all processes that are not zombies. Reads all of {@code /proc}: milliseconds. Signal 0 is cheaper but
     * counts zombies, and where the first process of a container does not reap, zombies stay.
     */
    static Set<Long> liveGroups() throws IOException {
        Set<Long> groups = new HashSet<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                liveGroup(process).ifPresent(groups::add);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return groups;
    }

    /**
     * Processes whose environment, as it was when their program was started, has this variable.
     *
     * @param assignment name, '=' and the whole value with a NUL after it, or the begin of the value without
     */
    static List<Long> withVariable(String assignment) throws IOException {
        List<Long> found = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                String environment = environment(process);
                if (environment.startsWith(assignment) || environment.contains("\0" + assignment)) {
                    found.add(Long.parseLong(process.getFileName().toString()));
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return found;
    }

    private static String environment(Path process) {
        try {
            return new String(Files.readAllBytes(process.resolve("environ")), StandardCharsets.ISO_8859_1);
        } catch (IOException goneOrAnotherUsers) {
            return "";
        }
    }

    /** Processes that ended and whose parent, the given one, has not waited for them. */
    static Set<Long> zombiesOf(long parent) throws IOException {
        Set<Long> zombies = new HashSet<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                String[] fields = stat(process);
                if (fields.length > 1 && fields[0].equals("Z") && fields[1].equals(Long.toString(parent))) {
                    zombies.add(Long.parseLong(process.getFileName().toString()));
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return zombies;
    }

    /** How nice the first thread of this process is, from -20 (it comes first) to 19; 0 where that cannot be read. */
    static int niceness() {
        String[] fields = stat(PROC.resolve("self"));
        return fields.length == FIELDS ? Integer.parseInt(fields[NICENESS]) : 0;
    }

    private static OptionalLong liveGroup(Path process) {
        String[] fields = stat(process);
        if (fields.length < 4 || fields[0].equals("Z") || fields[0].equals("X")) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(Long.parseLong(fields[2]));
    }

    // Fields of the process: state, parent, group and so on, and the rest in one; empty if the process is gone.
    private static String[] stat(Path process) {
        try {
            String stat = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
            // "pid (name) state ppid pgrp ...", where the name may hold anything.
            return stat.substring(stat.lastIndexOf(')') + 2).split(" ", FIELDS);
        } catch (IOException gone) {
            return new String[0];
        }
    }
}
