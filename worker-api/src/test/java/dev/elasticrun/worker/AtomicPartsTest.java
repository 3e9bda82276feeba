/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.worker.contract.UpMessage;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a change, and the end of the process, wait for. */
@Timeout(60)
final class AtomicPartsTest {
    @TempDir
    private Path node;

    /** A worker in a JVM of its own: writes {@code begun}, and {@code ended} some time later. */
    public static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            ElasticRuntime.main(() -> {
                Path directory = Path.of(arguments[0]);
                Duration limit = Duration.parse(arguments[1]);
                ElasticRuntime.getWorkerInfo();
                ElasticRuntime.atomic(limit, () -> {
                    Files.createFile(directory.resolve("begun"));
                    if (arguments[2].equals("exit")) {
                        System.exit(7);
                    }
                    new CountDownLatch(1).await(Duration.parse(arguments[2]).toMillis(), TimeUnit.MILLISECONDS);
                    Files.createFile(directory.resolve("ended"));
                });
                new CountDownLatch(1).await(1, TimeUnit.MINUTES);
            });
        }
    }

    @Test
    void change_inAPart_isSeenAfterItAndAcknowledgedAtOnce() throws Exception {
        try (TestAgent agent = new TestAgent(node, 0)) {
            agent.work(1, 0, 1);
            WorkerRuntime worker = WorkerRuntime.start(agent.environment());
            worker.info();
            worker.atomicParts()
                    .run(
                            () -> {
                                long pause = agent.pause(1);
                                await().until(() ->
                                        agent.up(UpMessage.Ack.class).stream().anyMatch(ack -> ack.seq() == pause));
                                assertThat(worker.isPaused()).isFalse();
                                worker.atomicParts()
                                        .run(
                                                () -> assertThat(worker.isChanged(1))
                                                        .isFalse(),
                                                1);
                                assertThat(worker.isChanged(1)).isFalse();
                            },
                            TimeUnit.HOURS.toNanos(1));
            assertThat(worker.isPaused()).isTrue();
            assertThat(worker.isChanged(1)).isTrue();
            worker.close();
        }
    }

    @Test
    void change_inAPartWhoseBoundHasPassed_isSeenInIt() throws Exception {
        try (TestAgent agent = new TestAgent(node, 0)) {
            agent.work(1, 0, 1);
            WorkerRuntime worker = WorkerRuntime.start(agent.environment());
            worker.info();
            worker.atomicParts()
                    .run(
                            () -> {
                                agent.pause(1);
                                await().until(() -> worker.isChanged(1));
                            },
                            TimeUnit.MILLISECONDS.toNanos(1));
            worker.atomicParts().awaitNone();
            worker.close();
        }
    }

    @Test
    void part_throws_isOver() {
        AtomicParts parts = new AtomicParts();
        assertThatThrownBy(() -> parts.run(
                        () -> {
                            throw new IOException("disk full");
                        },
                        TimeUnit.HOURS.toNanos(1)))
                .hasMessage("disk full");
        assertThat(parts.isHeld()).isFalse();
        parts.awaitNone();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ElasticRuntime.atomic(Duration.ZERO, () -> {}))
                .withMessage("atomic: PT0S (expected: above 0)");
    }

    @Test
    void terminated_inAPart_endsAfterIt() throws Exception {
        assertThat(end("PT20S", "PT0.5S")).isEqualTo(143);
        assertThat(node.resolve("ended")).exists();
    }

    @Test
    void terminated_inAPartThatGoesOnForTooLong_endsInIt() throws Exception {
        assertThat(end("PT0.2S", "PT50S")).isEqualTo(143);
        assertThat(node.resolve("ended")).doesNotExist();
    }

    @Test
    void exit_inAPart_doesNotWaitForItself() throws Exception {
        assertThat(end("PT50S", "exit")).isEqualTo(7);
    }

    private static String classes(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }

    private int end(String limit, String length) throws Exception {
        try (TestAgent agent = new TestAgent(node, 0)) {
            agent.work(1, 0, 1);
            ProcessBuilder builder = new ProcessBuilder(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    String.join(File.pathSeparator, classes(ElasticRuntime.class), classes(Program.class)),
                    Program.class.getName(),
                    node.toString(),
                    limit,
                    length));
            builder.environment().putAll(agent.environment());
            builder.redirectErrorStream(true).redirectOutput(node.resolve("out").toFile());
            Process process = builder.start();
            try {
                await().atMost(Duration.ofSeconds(20))
                        .until(() -> Files.exists(node.resolve("begun")) || !process.isAlive());
                if (!length.equals("exit")) {
                    process.destroy();
                }
                assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
                return process.exitValue();
            } finally {
                process.destroyForcibly();
            }
        }
    }
}
