/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.rules.AgentFixture;
import dev.elasticrun.agent.trainer.TrainerServer;
import dev.elasticrun.agent.worker.WorkerGauges;
import dev.elasticrun.proto.WorkerStatus;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.loop.SteppedLoop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** With a real server, and time that the test passes. */
@Timeout(60)
final class TrainerReporterTest {
    private static final Duration LOOK = Duration.ofSeconds(10);

    @RegisterExtension
    final CapturedLog log = new CapturedLog(TrainerReporter.class);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final Loop loop = new Loop();

    @SuppressWarnings("NullAway.Init")
    private TrainerServer server;

    private volatile long step = 10;
    private volatile boolean broken;

    @BeforeEach
    void serve() throws IOException {
        server = TrainerServer.start(directory, List.of("127.0.0.1"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void changes_areSent_andNothingElse() throws InterruptedException {
        reporter("a").start();
        assertThat(next())
                .startsWith("{\"trainerStatus\":{\"progressPercentage\":2,\"estimatedRemainingSeconds\":245,")
                .contains(
                        "{\"name\":\"world_size\",\"value\":\"3\"}",
                        "{\"name\":\"round\",\"value\":\"1\"}",
                        "{\"name\":\"step\",\"value\":\"10\"}",
                        "{\"name\":\"total_steps\",\"value\":\"500\"}",
                        "{\"name\":\"steps_per_second\",\"value\":\"2.000\"}");
        settle();
        assertThat(server.received()).isEmpty();

        step = 250;
        loop.pass(LOOK);
        assertThat(next()).contains("\"progressPercentage\":50,");
        assertThat(log.messages()).isEmpty();
    }

    @Test
    void refusal_isLoggedOnce_andTriedAgain() throws InterruptedException {
        server.answerWith(500, "not now");
        reporter("a").start();
        next();
        joinSenders();
        loop.pass(LOOK);
        next();
        joinSenders();
        server.answerWith(200, "{}");
        settle();

        assertThat(next()).contains("\"progressPercentage\":2,");
        settle();
        assertThat(server.received()).isEmpty();
        assertThat(log.messages())
                .containsExactly("node=a Trainer does not take the job's progress, and is tried again:"
                        + " java.io.IOException: HTTP status 500: not now");
    }

    @Test
    void whatIsWrongInTheAgent_isLoggedOnce_andTriedAgain() throws InterruptedException {
        broken = true;
        TrainerReporter reporter = reporter("a");
        reporter.start();
        settle();
        loop.pass(LOOK);
        settle();
        broken = false;
        loop.pass(LOOK);

        assertThat(next()).contains("\"progressPercentage\":2,");
        assertThat(log.messages())
                .containsExactly("node=a Trainer does not take the job's progress, and is tried again:"
                        + " java.lang.IllegalStateException: no gauges");
    }

    @Test
    void token_ofTwoLines_isNotLogged() throws IOException, InterruptedException {
        Files.writeString(server.endpoint().token(), "secret\nof two lines");
        reporter("a").start();
        settle();

        assertThat(log.messages())
                .singleElement()
                .asString()
                .contains("not a token")
                .doesNotContain("secret");
    }

    @Test
    void success_isSentByWhomProgressWasSent() throws InterruptedException {
        TrainerReporter first = reporter("a");
        first.start();
        next();
        settle();
        first.succeeded();
        assertThat(next()).contains("\"progressPercentage\":100,\"estimatedRemainingSeconds\":0,");

        TrainerReporter other = reporter("b");
        other.start();
        settle();
        other.succeeded();
        assertThat(server.received()).isEmpty();
    }

    /** Of an agent whose node "a" has rank 0. */
    private TrainerReporter reporter(String node) {
        AgentFixture agent = AgentFixture.soft(2).working();
        return new TrainerReporter(node, server.endpoint(), loop, agent::state, this::gauges, Clock.systemUTC());
    }

    private Map<WorkerGauges.Key, WorkerStatus> gauges() {
        if (broken) {
            throw new IllegalStateException("no gauges");
        }
        return Map.of(
                new WorkerGauges.Key(0, 0),
                WorkerStatus.newBuilder()
                        .setStep(step)
                        .setTotal(500)
                        .setStepsPerSecond(2)
                        .build());
    }

    private String next() throws InterruptedException {
        return Objects.requireNonNull(server.received().poll(20, TimeUnit.SECONDS), "a request")
                .body();
    }

    /** Whatever is going on is over, and two more looks have found what there is. */
    private void settle() throws InterruptedException {
        for (int look = 0; look < 2; look++) {
            joinSenders();
            loop.pass(LOOK);
        }
        joinSenders();
    }

    private static void joinSenders() throws InterruptedException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("trainer-status")) {
                thread.join();
            }
        }
    }

    /** Tasks of several threads run one after the other. */
    private static final class Loop implements EventLoop {
        private final SteppedLoop steps = new SteppedLoop();

        synchronized void pass(Duration time) {
            steps.pass(time);
        }

        @Override
        public synchronized void execute(Runnable task) {
            steps.execute(task);
        }

        @Override
        public synchronized Timer schedule(Duration delay, Runnable task) {
            return steps.schedule(delay, task);
        }

        @Override
        public synchronized long nowNanos() {
            return steps.nowNanos();
        }

        @Override
        public void assertInLoop() {}
    }
}
