/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.LongRun;
import dev.elasticrun.agent.process.TestJvm;
import dev.elasticrun.rendezvous.RunDescription;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.NodeRecords;
import dev.elasticrun.rendezvous.terms.RunSpecs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A page that stays open while a run goes on and on, in an agent with little memory. */
final class RunHistorySoak {
    private static final int OLD_INCIDENTS = 5_000;
    private static final int LOOKS = 1_000;
    private static final int INCIDENTS_BETWEEN = 20;

    @TempDir
    private Path run;

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void looks_atAGrowingRun_areFast_andNeedABoundedHeap() throws IOException, InterruptedException {
        Path output = run.resolve("output");
        Process looking = new ProcessBuilder(TestJvm.command(
                        List.of("-Xmx48m", "-XX:+ExitOnOutOfMemoryError"),
                        RunHistorySoak.class,
                        run.resolve("logs").toString()))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();

        assertThat(looking.waitFor()).as(() -> text(output)).isZero();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Ends with 0 when each look was answered within a second, the first within five. */
    public static void main(String[] arguments) throws IOException {
        Path logs = Path.of(arguments[0]);
        long[] clock = new long[1];
        RunHistory history = new RunHistory(
                logs,
                (nodes, known, gone) -> CompletableFuture.completedFuture(List.of()),
                () -> Optional.of(new RunDescription(
                        "run",
                        "i",
                        RunSpecs.terms(1, 1, "soft", 3),
                        List.of(NodeRecords.of("here", "here", "127.0.0.1", 1, 1, NodePhase.ACTIVE, List.of())),
                        null,
                        "here")),
                () -> clock[0]);
        int incident = 1;
        long slowest = 0;
        for (int look = 0; look < LOOKS; look++) {
            try (LongRun node = new LongRun(logs, "here")) {
                int until = incident + (look == 0 ? OLD_INCIDENTS : INCIDENTS_BETWEEN);
                for (; incident < until; incident++) {
                    node.incident(incident);
                }
            }
            clock[0] += Duration.ofSeconds(2).toNanos();
            long began = System.nanoTime();
            int shown = history.incidents("i").size();
            long took = System.nanoTime() - began;
            slowest = look == 0 ? 0 : Math.max(slowest, took);
            boolean isFast = took < Duration.ofSeconds(look == 0 ? 5 : 1).toNanos();
            if (shown < 20 || !isFast) {
                System.out.println("look " + look + ": " + shown + " incidents, " + took / 1_000_000 + " ms");
                Runtime.getRuntime().halt(1);
            }
        }
        System.out.println("slowest look but the first: " + slowest / 1_000_000 + " ms");
    }
}
