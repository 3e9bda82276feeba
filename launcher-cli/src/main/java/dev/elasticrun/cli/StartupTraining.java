/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.LocalRuns;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Run by the build, never by users: does once what the command does, so that the JVM can archive the classes that this
 * takes. With the archive an agent is ready in half the time.
 */
final class StartupTraining {
    private static final String RUN = "startup-training";
    private static final int MAX_POLLS = 200;
    private static final long POLL_MILLIS = 50;

    private StartupTraining() {}

    /** @param arguments an empty directory for logs */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path directory = Path.of(arguments[0]);
        Path done = directory.resolve("done");
        String program = "until [ -e '" + done + "' ]; do sleep 0.05; done";
        List<String> launch = List.of(
                "--standalone", "--run-id", RUN, "--log-dir", directory.toString(), "--", "/bin/sh", "-c", program);
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        CompletableFuture<Integer> run =
                CompletableFuture.supplyAsync(() -> Main.run(launch, Map.of(), nowhere, nowhere));
        for (int poll = 0; poll < MAX_POLLS && LocalRuns.find(RUN).isEmpty(); poll++) {
            if (ended(run)) {
                return;
            }
        }
        Main.run(List.of("status", "--run-id", RUN), Map.of(), nowhere, nowhere);
        Main.run(List.of("status", "--run-id", RUN, "--json"), Map.of(), nowhere, nowhere);
        Files.createFile(done);
        run.join();
    }

    private static boolean ended(CompletableFuture<Integer> run) throws InterruptedException {
        try {
            run.get(POLL_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("the run failed", e.getCause());
        }
    }
}
