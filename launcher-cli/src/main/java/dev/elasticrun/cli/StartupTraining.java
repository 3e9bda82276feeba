/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.worker.ElasticLoop;
import dev.elasticrun.worker.ElasticState;
import dev.elasticrun.worker.Snapshotable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs in the build only, never for users: executes once what the command does, so that the JVM can archive the classes
 * that this takes. Two agents form a round, a worker of one fails, its node comes back, the status is requested, and
 * the run ends. Then a run starts that encrypts, as runs over several hosts do. With the archive an agent is ready in
 * half the time, and its first failure costs it less.
 */
final class StartupTraining {
    // Concurrent builds must not join the same run.
    private static final String RUN =
            "startup-training-" + ProcessHandle.current().pid();

    // Less than the build waits.
    private static final Duration LIMIT = Duration.ofSeconds(110);

    private static final int MAX_POLLS = 200;
    private static final long POLL_MILLIS = 50;
    private static final long ALONE_NANOS = TimeUnit.SECONDS.toNanos(15);

    private StartupTraining() {}

    /** @param arguments an empty directory for logs */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        endAfter(LIMIT);
        Path directory = Path.of(arguments[0]);
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        List<String> launch = launch(directory, freePort());
        CompletableFuture<Integer> first =
                CompletableFuture.supplyAsync(() -> Main.run(launch, Map.of(), nowhere, nowhere));
        CompletableFuture<Integer> second =
                CompletableFuture.supplyAsync(() -> Main.run(launch, Map.of(), nowhere, nowhere));
        for (int poll = 0; poll < MAX_POLLS && LocalRuns.find(RUN).isEmpty(); poll++) {
            if (ended(first)) {
                requireSuccess("the first agent", first.join());
                return;
            }
        }
        Main.run(List.of("status", "--run-id", RUN), Map.of(), nowhere, nowhere);
        Main.run(List.of("status", "--run-id", RUN, "--json"), Map.of(), nowhere, nowhere);
        Main.run(List.of("events", "--run-id", RUN), Map.of(), nowhere, nowhere);
        Main.run(List.of("explain", "--run-id", RUN), Map.of(), nowhere, nowhere);
        Main.run(List.of("replay", "--run-id", RUN), Map.of(), nowhere, nowhere);
        int firstCode = first.join();
        int secondCode = second.join();
        int encryptedCode = Main.run(
                List.of("--standalone", "--tls", "--log-dir", directory.toString(), "--", java(), "-version"),
                Map.of(),
                nowhere,
                nowhere);
        requireSuccess("the first agent", firstCode);
        requireSuccess("the second agent", secondCode);
        requireSuccess("the run that encrypts", encryptedCode);
    }

    // On a failure the process ends: the JVM archives the classes loaded so far all the same, and the build reports it.
    private static void requireSuccess(String who, int exitCode) {
        if (exitCode != ExitCode.SUCCEEDED.code()) {
            System.err.println("the training is not complete: " + who + " ended with exit code " + exitCode);
            System.exit(1);
        }
    }

    // An agent answers a signal by leaving in order, so no signal of the build ends a run that stalls.
    private static void endAfter(Duration limit) {
        Thread watch = new Thread(
                () -> {
                    LockSupport.parkNanos(limit.toNanos());
                    System.err.println("the training did not end within " + limit.toSeconds() + " s");
                    Runtime.getRuntime().halt(1);
                },
                "training-limit");
        watch.setDaemon(true);
        watch.start();
    }

    private static List<String> launch(Path directory, int port) {
        return List.of(
                "--nnodes",
                "1:2",
                "--rdzv-backend",
                "embedded",
                "--rdzv-endpoint",
                "127.0.0.1:" + port,
                "--run-id",
                RUN,
                "--restart-policy",
                "soft",
                "--rejoin-back-off",
                "0",
                "--last-call-timeout",
                "5",
                "--first-contact-timeout",
                "60",
                "--log-dir",
                directory.toString(),
                "--",
                java(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Worker.class.getName(),
                directory.toString());
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
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

    /** The program of the run: of two workers one fails once; both end when they have met again. */
    static final class Worker implements Snapshotable {
        private Worker() {}

        public static void main(String[] arguments) throws Exception {
            Path failed = Path.of(arguments[0], "failed");
            ElasticLoop.run(ElasticState.of(new Worker()), collective -> {
                // Alone for good when the other agent could not join: the build still gets what was loaded so far.
                long alone = System.nanoTime();
                while (collective.worldSize() == 1 && System.nanoTime() - alone < ALONE_NANOS) {
                    collective.barrier();
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
                }
                collective.checkpoint(new byte[1]);
                if (collective.rank() == 1 && isFirst(failed)) {
                    throw new IllegalStateException("once");
                }
                collective.barrier();
            });
        }

        private static boolean isFirst(Path mark) throws IOException {
            try {
                Files.createFile(mark);
                return true;
            } catch (FileAlreadyExistsException e) {
                return false;
            }
        }

        @Override
        public byte[] save() {
            return new byte[1];
        }

        @Override
        public void restore(byte[] saved) {
            // There is no state to continue from.
        }
    }
}
