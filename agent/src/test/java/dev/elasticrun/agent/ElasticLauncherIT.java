/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.agent.config.ListenAddress;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.LaunchConfigBuilder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The launcher inside of another program: what it leaves when that program loses interest. */
@Tag("once")
@Timeout(60)
final class ElasticLauncherIT {
    @TempDir
    private Path logs;

    @Test
    void launch_interrupted_drainsFirstAndKeepsTheResult() throws Exception {
        List<Long> before = descendants();
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                ElasticLauncher.launch(sleeping());
            } catch (InterruptedException e) {
                thrown.complete(e);
            }
        });
        caller.start();
        awaitWorker(before);

        caller.interrupt();

        Throwable error = thrown.get(30, TimeUnit.SECONDS);
        assertThat(error).isInstanceOf(LaunchInterruptedException.class);
        LaunchResult result = ((LaunchInterruptedException) error).result();
        assertThat(result.exitCode()).isEqualTo(ExitCode.INTERRUPTED.code());
        assertThat(result.workers()).singleElement().satisfies(worker -> assertThat(worker.exitCode())
                .isEqualTo(143));
        assertThat(workers(before)).isEmpty();
    }

    @Test
    void result_cancelled_drainsAndCompletesWithTheResult() throws Exception {
        List<Long> before = descendants();
        CompletableFuture<LaunchResult> result =
                ElasticLauncher.start(sleeping()).result();
        awaitWorker(before);

        assertThat(result.cancel(true)).isFalse();

        assertThat(result.get(30, TimeUnit.SECONDS).exitCode()).isEqualTo(ExitCode.INTERRUPTED.code());
        assertThat(workers(before)).isEmpty();
    }

    @Test
    void drain_withAReasonThatIsNone_isRefusedAndTheRunGoesOn() throws Exception {
        List<Long> before = descendants();
        ElasticLauncher.Running running = ElasticLauncher.start(sleeping());
        awaitWorker(before);

        assertThatThrownBy(() -> running.drain(ExitCode.SUCCEEDED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("reason: SUCCEEDED (expected: DRAINED or INTERRUPTED)");

        assertThat(running.result()).isNotDone();
        assertThat(running.logDirectory()).isEqualTo(logs.resolve(running.runId()));
        assertThat(running.logDirectory().resolve(running.nodeId())).isDirectory();
        running.drain(ExitCode.DRAINED);
        assertThat(running.result().get(30, TimeUnit.SECONDS).exitCode()).isEqualTo(ExitCode.DRAINED.code());
    }

    @Test
    void dashboard_portIsGiven_isWhereThePageIs() throws Exception {
        ElasticLauncher.Running without = ElasticLauncher.start(sleeping());
        ElasticLauncher.Running with = ElasticLauncher.start(
                sleeper().dashboardPort(ListenAddress.parse("0")).build());
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> with.dashboard()
                .isPresent());

        HttpResponse<String> page = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(with.dashboard().orElseThrow()).build(),
                        HttpResponse.BodyHandlers.ofString());

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("<title>");
        assertThat(without.dashboard()).isEmpty();
        for (ElasticLauncher.Running each : List.of(without, with)) {
            each.drain(ExitCode.DRAINED);
            each.result().get(30, TimeUnit.SECONDS);
        }
    }

    private LaunchConfig sleeping() {
        return sleeper().build();
    }

    private LaunchConfigBuilder sleeper() {
        return LaunchConfig.builder("sleep").arguments(List.of("1000")).logDir(logs);
    }

    private static void awaitWorker(List<Long> before) {
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> !workers(before)
                .isEmpty());
    }

    /** Processes of the program {@code sleep 1000} that were started since. */
    private static List<String> workers(List<Long> before) {
        return ProcessHandle.current()
                .descendants()
                .filter(process -> !before.contains(process.pid()))
                .map(process -> process.info().commandLine().orElse(""))
                .filter(line -> line.endsWith("sleep 1000"))
                .toList();
    }

    private static List<Long> descendants() {
        return ProcessHandle.current().descendants().map(ProcessHandle::pid).toList();
    }
}
