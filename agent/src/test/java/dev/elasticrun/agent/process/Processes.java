/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Shells as workers, for tests of real processes. */
final class Processes {
    private Processes() {}

    /** A worker whose files are named after the argument and lie in the directory. */
    static WorkerCommand command(Path directory, String name, String... argv) {
        return new WorkerCommand(
                List.of(argv),
                Map.of("PATH", "/usr/bin:/bin", "WORKER", name),
                directory.resolve(name + ".out"),
                directory.resolve(name + ".err"),
                directory);
    }

    static WorkerCommand shell(Path directory, String name, String script) {
        return command(directory, name, "sh", "-c", script);
    }

    static WorkerProcess start(ProcessLauncher launcher, WorkerCommand command) throws Exception {
        return launcher.start(command).get(10, TimeUnit.SECONDS);
    }

    /** Process ids that a worker wrote to a file, one per line. */
    static List<Long> pids(Path file) throws IOException {
        return Files.exists(file)
                ? Files.readAllLines(file).stream().map(Long::parseLong).toList()
                : List.of();
    }

    static boolean alive(long pid) {
        return ProcessTable.groupOf(pid).isPresent();
    }
}
