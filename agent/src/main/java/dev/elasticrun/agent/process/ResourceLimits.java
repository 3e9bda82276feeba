/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What the control groups of a process, of either version, allow it and all others in them.
 *
 * @param memory in bytes; empty = as much as the machine has
 * @param processors time of that many processors; empty = all
 * @param processes processes and threads; empty = as many as the kernel has room for
 */
public record ResourceLimits(OptionalLong memory, OptionalDouble processors, OptionalLong processes) {
    // Limits above are none: the first version cannot express that otherwise.
    private static final long NO_LIMIT = 1L << 60;

    /** Of this process. */
    public static ResourceLimits ofThisProcess() {
        return of(Path.of("/proc/self/cgroup"), Path.of("/sys/fs/cgroup"));
    }

    /**
     * @param groups the file that names the groups of the process
     * @param mounts where the groups are mounted
     */
    static ResourceLimits of(Path groups, Path mounts) {
        List<String> lines = lines(groups);
        return new ResourceLimits(
                least(lines, mounts, "memory", List.of("memory.max", "memory.limit_in_bytes"), ResourceLimits::number)
                        .stream()
                        .mapToLong(Double::longValue)
                        .findFirst(),
                least(lines, mounts, "cpu", List.of("cpu.max", "cpu.cfs_quota_us"), ResourceLimits::processors).stream()
                        .mapToDouble(Double::doubleValue)
                        .findFirst(),
                least(lines, mounts, "pids", List.of("pids.max"), ResourceLimits::number).stream()
                        .mapToLong(Double::longValue)
                        .findFirst());
    }

    private interface Reader {
        OptionalDouble read(Path file);
    }

    /** The least value of the process's own group and those above it. */
    private static Optional<Double> least(
            List<String> lines, Path mounts, String controller, List<String> files, Reader reader) {
        Optional<Double> least = Optional.empty();
        for (Path directory : directories(lines, mounts, controller)) {
            for (String file : files) {
                OptionalDouble found = reader.read(directory.resolve(file));
                if (found.isPresent() && found.getAsDouble() < least.orElse(Double.MAX_VALUE)) {
                    least = Optional.of(found.getAsDouble());
                }
            }
        }
        return least;
    }

    /** Where the limits of a controller are: the process's own group, and each above it. */
    private static List<Path> directories(List<String> lines, Path mounts, String controller) {
        List<Path> directories = new ArrayList<>();
        for (String line : lines) {
            String[] parts = line.split(":", 3);
            if (parts.length != 3) {
                continue;
            }
            boolean isFirst = List.of(parts[1].split(",")).contains(controller);
            if (isFirst || parts[1].isEmpty()) {
                // Where controllers share a directory, each of their names leads to it.
                List<Path> roots = isFirst ? List.of(mounts.resolve(controller)) : List.of(mounts);
                roots.forEach(root -> addUpwards(root, parts[2], directories));
            }
        }
        return directories;
    }

    // Within a container the path may be that of the host, while the container's own group is at the top.
    private static void addUpwards(Path root, String name, List<Path> directories) {
        Path directory = root.resolve(name.replaceFirst("^/+", "")).normalize();
        while (directory != null && directory.startsWith(root)) {
            directories.add(directory);
            directory = directory.getParent();
        }
    }

    private static OptionalDouble number(Path file) {
        return words(file).stream()
                .limit(1)
                .filter(word -> word.matches("\\d{1,19}"))
                .mapToDouble(Double::parseDouble)
                .filter(value -> value < NO_LIMIT)
                .findFirst();
    }

    /** Quota and period: in one file of the second version, in two of the first. */
    private static OptionalDouble processors(Path file) {
        List<String> words = new ArrayList<>(words(file));
        if (words.size() == 1) {
            words.addAll(words(file.resolveSibling("cpu.cfs_period_us")));
        }
        boolean isLimited = words.size() == 2 && words.stream().allMatch(word -> word.matches("[1-9]\\d{0,17}"));
        return isLimited
                ? OptionalDouble.of(Double.parseDouble(words.get(0)) / Double.parseDouble(words.get(1)))
                : OptionalDouble.empty();
    }

    private static List<String> words(Path file) {
        return lines(file).stream()
                .flatMap(line -> List.of(line.trim().split("\\s+")).stream())
                .toList();
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (IOException absent) {
            return List.of();
        }
    }
}
