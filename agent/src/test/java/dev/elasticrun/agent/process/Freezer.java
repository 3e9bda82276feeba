/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import dev.elasticrun.rendezvous.store.MachinePart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * A control group whose processes are stopped within the kernel and do not even take KILL. Only the first version's
 * freezer does that; frozen by the second version a process still dies.
 */
final class Freezer implements AutoCloseable {
    private static final Path HIERARCHY = Path.of("/sys/fs/cgroup/freezer");

    private final Path group;

    private Freezer(Path group) {
        this.group = group;
    }

    static Freezer create() {
        return MachinePart.require(
                "the freezer of control groups, version 1, which this user may write at " + HIERARCHY,
                () -> new Freezer(Files.createDirectory(HIERARCHY.resolve("elastic-run-" + UUID.randomUUID()))));
    }

    void freeze(long pid) throws IOException {
        Files.writeString(group.resolve("cgroup.procs"), Long.toString(pid));
        Files.writeString(group.resolve("freezer.state"), "FROZEN");
    }

    void thaw() throws IOException {
        Files.writeString(group.resolve("freezer.state"), "THAWED");
    }

    /** Its processes, if any are left, are killed. */
    @Override
    public void close() throws IOException {
        thaw();
        while (true) {
            for (String pid : Files.readAllLines(group.resolve("cgroup.procs"))) {
                ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
            }
            try {
                Files.delete(group);
                return;
            } catch (IOException busy) {
                Thread.onSpinWait();
            }
        }
    }
}
