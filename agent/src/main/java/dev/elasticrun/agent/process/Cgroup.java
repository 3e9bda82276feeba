/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The control group that accounts for a process's memory, of the first or the second version.
 *
 * @param name as in {@code /proc/<pid>/cgroup}
 * @param directory where its files are
 */
record Cgroup(String name, Path directory, boolean second) {
    // Limits above are none: the first version cannot express that otherwise.
    private static final long NO_LIMIT = 1L << 60;

    /**
     * @param proc {@code /proc}
     * @param mounts {@code /sys/fs/cgroup}
     */
    static Optional<Cgroup> of(long pid, Path proc, Path mounts) {
        List<String> lines;
        try {
            lines = Files.readAllLines(proc.resolve(Long.toString(pid)).resolve("cgroup"), StandardCharsets.UTF_8);
        } catch (IOException gone) {
            return Optional.empty();
        }
        Optional<String> first = lines.stream()
                .map(line -> line.split(":", 3))
                .filter(parts ->
                        parts.length == 3 && List.of(parts[1].split(",")).contains("memory"))
                .map(parts -> parts[2])
                .findFirst();
        if (first.isPresent()) {
            return find(first.get(), List.of(mounts.resolve("memory")), "memory.oom_control", false);
        }
        return lines.stream()
                .filter(line -> line.startsWith("0::"))
                .findFirst()
                .flatMap(line -> find(
                        line.substring("0::".length()),
                        List.of(mounts, mounts.resolve("unified")),
                        "memory.events",
                        true));
    }

    /** Within a container the path may be that of the host, while the container's own group is at the top. */
    private static Optional<Cgroup> find(String name, List<Path> mounts, String counters, boolean second) {
        String relative = name.replaceFirst("^/+", "");
        for (Path mount : mounts) {
            for (Path directory : List.of(mount.resolve(relative), mount)) {
                if (Files.isReadable(directory.resolve(counters))) {
                    return Optional.of(new Cgroup(name, directory, second));
                }
            }
        }
        return Optional.empty();
    }

    /** How many of its processes the kernel has killed for lack of memory. */
    OptionalLong kills() {
        return ProcFile.number(directory.resolve(second ? "memory.events" : "memory.oom_control"), "oom_kill");
    }

    /** Most memory in bytes that all its processes had at once. */
    OptionalLong peak() {
        return number(directory.resolve(second ? "memory.peak" : "memory.max_usage_in_bytes"));
    }

    /** In bytes; empty = none. */
    OptionalLong limit() {
        OptionalLong limit = number(directory.resolve(second ? "memory.max" : "memory.limit_in_bytes"));
        return limit.isPresent() && limit.getAsLong() < NO_LIMIT ? limit : OptionalLong.empty();
    }

    private static OptionalLong number(Path file) {
        try {
            return OptionalLong.of(Long.parseLong(
                    Files.readString(file, StandardCharsets.ISO_8859_1).trim()));
        } catch (IOException | NumberFormatException noneOrUnlimited) {
            return OptionalLong.empty();
        }
    }
}
