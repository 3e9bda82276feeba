/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import dev.elasticrun.agent.directory.RunDirectory;
import dev.elasticrun.agent.directory.WorkerTemporaries;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM that starts workers in a run directory and waits to be killed. */
final class DoomedAgent {
    private DoomedAgent() {}

    public static void main(String[] args) throws Exception {
        Path base = Path.of(args[0]);
        Path output = Path.of(args[1]);
        RunDirectory run = RunDirectory.create(List.of(base), 0, "incarnation", "doomed-node");
        run.layout(0, 0);
        run.writeRunFile("{}".getBytes(StandardCharsets.US_ASCII));
        WorkerTemporaries temporaries =
                WorkerTemporaries.create(List.of(base.resolve("disk")), run, "incarnation", "doomed-node");
        Files.writeString(temporaries.make(0, 0).resolve("file"), "left");
        List<Path> directories = new ArrayList<>(List.of(run.path()));
        directories.addAll(temporaries.outsideTheRunDirectory());
        GroupProcessLauncher launcher = GroupProcessLauncher.create(directories, guard -> {});
        StringBuilder leaders = new StringBuilder();
        for (int i = 0; i < 3; i++) {
            WorkerProcess worker = Processes.start(
                    launcher,
                    Processes.shell(
                            output,
                            "w" + i,
                            "trap '' TERM HUP INT; sh -c '(sleep 1000 & echo $! >> w" + i + ".pids)';"
                                    + " setsid -f sh -c 'echo $$ >> w" + i + ".pids; exec sleep 998';"
                                    + " sleep 999 & echo $! >> w" + i + ".pids; echo $$ >> w" + i + ".pids; wait"));
            leaders.append(worker.pid()).append('\n');
        }
        publish(output.resolve("leaders"), leaders.toString());
        publish(output.resolve("guard"), launcher.guardPid().join() + "\n");
        publish(output.resolve("run"), run.path().toString());
        synchronized (DoomedAgent.class) {
            while (!Thread.interrupted()) {
                DoomedAgent.class.wait();
            }
        }
    }

    private static void publish(Path file, String content) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        Files.writeString(temporary, content);
        Files.move(temporary, file);
    }
}
