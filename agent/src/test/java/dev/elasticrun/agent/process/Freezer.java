/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** A control group whose processes can be stopped within the kernel. Only where the system has one and we may use it. */
final class Freezer implements AutoCloseable {
    private static final Path HIERARCHY = Path.of("/sys/fs/cgroup/freezer");

    private final Path group;

    private Freezer(Path group) {
        this.group = group;
    }

    /** Skips the test where there is no such hierarchy, or only for another user. */
    static Freezer create() throws IOException {
        assumeThat(Files.isWritable(HIERARCHY))
                .as("%s can be written", HIERARCHY)
                .isTrue();
        return new Freezer(Files.createDirectory(HIERARCHY.resolve("elastic-run-" + UUID.randomUUID())));
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
