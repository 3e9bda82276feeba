/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.dist;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A control group of processes that together may have so much memory. Needs root and the memory controller. */
final class MemoryLimit implements AutoCloseable {
    private static final Path VERSION_1 = Path.of("/sys/fs/cgroup/memory");
    private static final Path VERSION_2 = Path.of("/sys/fs/cgroup");

    private final Path group;

    private MemoryLimit(Path group) {
        this.group = group;
    }

    static MemoryLimit of(long bytes) throws IOException {
        boolean isVersion1 = Files.isDirectory(VERSION_1);
        Path parent = isVersion1 ? VERSION_1 : VERSION_2;
        MemoryLimit limit = new MemoryLimit(Files.createDirectory(
                parent.resolve("elastic-run-dist-" + ProcessHandle.current().pid())));
        Files.writeString(
                limit.group.resolve(isVersion1 ? "memory.limit_in_bytes" : "memory.max"), Long.toString(bytes));
        return limit;
    }

    /** What to put before a command so that it and all that it starts are in the group. */
    List<String> enter() {
        return List.of(
                "sh",
                "-c",
                "echo $$ >\"$0\" && exec \"$@\"",
                group.resolve("cgroup.procs").toString());
    }

    /** How many processes the kernel has killed for want of memory. */
    long killed() throws IOException {
        Path events =
                group.resolve(Files.exists(group.resolve("memory.events")) ? "memory.events" : "memory.oom_control");
        return Files.readAllLines(events).stream()
                .filter(line -> line.startsWith("oom_kill "))
                .mapToLong(line -> Long.parseLong(line.substring("oom_kill ".length())))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no oom_kill in " + events));
    }

    /** Once all its processes have ended. */
    @Override
    public void close() {
        try {
            Files.deleteIfExists(group);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
