/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import static org.awaitility.Awaitility.await;

import dev.elasticrun.rendezvous.store.MachinePart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** A control group that limits the memory of its processes, of whatever version this machine has. */
final class MemoryLimit implements AutoCloseable {
    private static final Path MOUNTS = Path.of("/sys/fs/cgroup");

    private final Path group;

    private MemoryLimit(Path group) {
        this.group = group;
    }

    static MemoryLimit of(int bytes) {
        return MachinePart.require(
                "a control group that limits memory, which this user may make below " + MOUNTS,
                () -> Files.exists(MOUNTS.resolve("memory")) ? first(bytes) : second(bytes));
    }

    private static MemoryLimit first(int bytes) throws IOException {
        MemoryLimit made = below(MOUNTS.resolve("memory"));
        Files.writeString(made.group.resolve("memory.limit_in_bytes"), Integer.toString(bytes));
        return made;
    }

    private static MemoryLimit second(int bytes) throws IOException {
        Files.writeString(MOUNTS.resolve("cgroup.subtree_control"), "+memory");
        MemoryLimit made = below(MOUNTS);
        Files.writeString(made.group.resolve("memory.max"), Integer.toString(bytes));
        Path swap = made.group.resolve("memory.swap.max");
        if (Files.exists(swap)) {
            Files.writeString(swap, "0");
        }
        return made;
    }

    private static MemoryLimit below(Path hierarchy) throws IOException {
        return new MemoryLimit(Files.createDirectory(hierarchy.resolve("elastic-run-" + UUID.randomUUID())));
    }

    String name() {
        return "/" + group.getFileName();
    }

    void add(long pid) throws IOException {
        Files.writeString(group.resolve("cgroup.procs"), Long.toString(pid));
    }

    /** Its processes must be about to end. */
    @Override
    public void close() {
        await().ignoreExceptions().until(() -> Files.deleteIfExists(group));
    }
}
