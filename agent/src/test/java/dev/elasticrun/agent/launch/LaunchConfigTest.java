/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.agent.config.CpuBinding;
import dev.elasticrun.agent.config.DrainSignal;
import dev.elasticrun.agent.config.StateLoss;
import dev.elasticrun.rendezvous.terms.LocalProtection;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class LaunchConfigTest {
    @TempDir
    private Path directory;

    @Test
    void defaults_onlyAProgram_areTheDocumentedOnes() {
        LaunchConfig config = LaunchConfig.builder("true").logDir(directory).build();

        assertThat(config.size().minNodes()).isEqualTo(1);
        assertThat(config.size().maxNodes()).isEqualTo(1);
        assertThat(config.size().nprocPerNode()).isEqualTo(1);
        assertThat(config.restarts().policy()).isEqualTo("hard");
        assertThat(config.restarts().maxRestarts()).isEqualTo(3);
        assertThat(config.store().runId()).isEmpty();
        assertThat(config.store().backend()).isEqualTo("auto");
        assertThat(config.store().standalone()).isFalse();
        assertThat(config.workers().role()).isEqualTo("default");
        assertThat(config.times().lease().ttl()).hasSeconds(3);
        assertThat(config.times().lease().heartbeat()).hasMillis(500);
        assertThat(config.times().rounds().joinTimeout()).hasSeconds(600);
        assertThat(config.times().rounds().lastCall()).hasSeconds(5);
        assertThat(config.times().rounds().scaleUpDelay()).hasMillis(500);
        assertThat(config.times().rounds().replacementWait()).isZero();
        assertThat(config.restarts().policyPath()).isEmpty();
        assertThat(config.times().rounds().rejoinBackOff()).hasSeconds(60);
        assertThat(config.times().rounds().excludeCoolDown()).hasMinutes(10);
        assertThat(config.times().pauseTimeout()).hasSeconds(10);
        assertThat(config.times().readyTimeout()).isZero();
        assertThat(config.times().operationTimeout()).hasMinutes(30);
        assertThat(config.times().storeTimeout()).hasSeconds(60);
        assertThat(config.times().firstContactTimeout()).hasSeconds(10);
        assertThat(config.times().shutdownTimeout()).hasSeconds(30);
        assertThat(config.console().shown()).isTrue();
    }

    @Test
    void localProtection_isParityWhereThatIsGiven() {
        LaunchConfigBuilder builder = LaunchConfig.builder("true").logDir(directory);

        assertThat(builder.build().checkpoints().localProtection()).isEqualTo(LocalProtection.copies(2));
        assertThat(builder.localReplicas(1).build().checkpoints().localProtection())
                .isEqualTo(LocalProtection.copies(1));
        assertThat(builder.localReplicas(2)
                        .checkpointParity(4)
                        .build()
                        .checkpoints()
                        .localProtection())
                .isEqualTo(LocalProtection.parity(4));
    }

    @Test
    void collector_withoutWhatSendsToIt_isRefused() {
        LaunchConfigBuilder builder = LaunchConfig.builder("true").logDir(directory);

        assertThatThrownBy(
                        () -> builder.otlpEndpoint(URI.create("http://c:4318")).build())
                .isInstanceOf(LaunchConfigException.class)
                .hasMessage(
                        "--otlp-endpoint: http://c:4318 (expected: elastic-run-telemetry-otlp.jar in the class path,"
                                + " or in --policy-path)");
        assertThatThrownBy(() ->
                        builder.otlpEndpoint(URI.create("http://user@c:4318")).build())
                .isInstanceOf(LaunchConfigException.class)
                .hasMessageContaining("without user and query");
    }

    @Test
    void toBuilder_everySetting_isKept() {
        LaunchConfig config = LaunchConfig.builder("sh")
                .arguments(List.of("-c", "true"))
                .logDir(directory)
                .nnodes(2, 3)
                .nprocPerNode(4)
                .restartPolicy("soft")
                .policyPath(directory.toString())
                .replacementWait(Duration.ofSeconds(5))
                .maxRestarts(7)
                .runId("demo")
                .rdzvBackend("etcd")
                .rdzvEndpoints(List.of("a:1", "[::1]:2"))
                .role("trainer")
                .localAddr("10.0.0.1")
                .javaOpts(List.of("-Xmx1g"))
                .classPath("x.jar")
                .mainClass("X")
                .environment(Map.of("A", "1"))
                .leaseTtl(Duration.ofSeconds(4))
                .heartbeatInterval(Duration.ofSeconds(1))
                .operationTimeout(Duration.ofMinutes(5))
                .checkpointDir(directory)
                .checkpointEvery(3)
                .checkpointParity(4)
                .onStateLoss(StateLoss.FAIL)
                .drainSignals(List.of(DrainSignal.USR1))
                .noRetryExitCodes(List.of(64))
                .noProgressLimit(4)
                .bindTo(CpuBinding.NUMA)
                .console(false)
                .build();

        assertThat(config.toBuilder().build()).usingRecursiveComparison().isEqualTo(config);
    }

    @Test
    void toString_environment_showsNamesOnly() {
        LaunchConfig config = LaunchConfig.builder("true")
                .logDir(directory)
                .environment(Map.of("TOKEN", "hush"))
                .build();

        assertThat(config.toString()).contains("TOKEN").doesNotContain("hush");
    }

    @Test
    void build_severalWrong_reportsAllAtOnce() {
        LaunchConfigBuilder builder = LaunchConfig.builder("/no/such.jar")
                .logDir(directory)
                .nnodes(3, 2)
                .runId("demo")
                .nprocPerNode(0)
                .maxRestarts(-1);

        assertThatThrownBy(builder::build)
                .isInstanceOf(LaunchConfigException.class)
                .hasMessage(String.join(
                        System.lineSeparator(),
                        "--nnodes: 3:2 (expected: N or MIN:MAX with 1 <= MIN <= MAX)",
                        "--nproc-per-node: 0 (expected: 1 to 1024, auto, cpu or gpu)",
                        "--max-restarts: -1 (expected: N >= 0, or N/TIME with 1 <= N <= 1000 and TIME >= 1s, such as 3/1h)",
                        "PROGRAM: /no/such.jar (expected: a jar that exists)"));
    }

    static Stream<Arguments> wrongValues() {
        return Stream.of(
                wrong("--nnodes: 0:0", b -> b.nnodes(0, 0)),
                wrong("--nproc-per-node: 1025", b -> b.nprocPerNode(1025)),
                wrong(
                        "--restart-policy: soft:first=2 (expected: soft-no-replace without an option)",
                        b -> b.restartPolicy("soft:first=2")),
                wrong("--restart-policy: gentle (expected: soft or one of hard,", b -> b.restartPolicy("gentle")),
                wrong("--max-restarts: 0/3600s", b -> b.maxRestarts(0, Duration.ofHours(1))),
                wrong("--max-restarts: 3/500ms", b -> b.maxRestarts(3, Duration.ofMillis(500))),
                wrong("--restart-refund: 10ms", b -> b.restartRefund(Duration.ofMillis(10))),
                wrong("--role: ' '", b -> b.role(" ")),
                wrong("--run-id: 'a/b'", b -> b.runId("a/b")),
                wrong("--run-id: not given", b -> b.nnodes(1, 2).rdzvEndpoints(List.of("h:1"))),
                wrong("--rdzv-endpoint: 'h'", b -> b.rdzvEndpoints(List.of("h"))),
                wrong("--rdzv-endpoint: 'h:70000'", b -> b.rdzvEndpoints(List.of("h:70000"))),
                wrong("--rdzv-backend: etcd", b -> b.rdzvBackend("etcd")),
                wrong("--rdzv-endpoint: a:1,b:2", b -> b.rdzvBackend("embedded").rdzvEndpoints(List.of("a:1", "b:2"))),
                wrong("--standalone: with --nnodes 1:2", b -> b.standalone(true).nnodes(1, 2)),
                wrong("--run-key-file: /no/key", b -> b.runKeyFile(Path.of("/no/key"))),
                wrong("--lease-ttl: 1s (expected: at least 2s)", b -> b.leaseTtl(Duration.ofSeconds(1))),
                wrong("--join-timeout: 0s", b -> b.joinTimeout(Duration.ZERO)),
                wrong("--last-call-timeout: -1s", b -> b.lastCallTimeout(Duration.ofSeconds(-1))),
                wrong("--local-replicas: -1 (expected: 0 or more)", b -> b.localReplicas(-1)),
                wrong("--checkpoint-parity: 1 (expected: 0, or 2 to 16)", b -> b.checkpointParity(1)),
                wrong("--checkpoint-parity: 17 (expected: 0, or 2 to 16)", b -> b.checkpointParity(17)),
                wrong(
                        "--checkpoint-parity: 4 with --local-replicas 1 (expected: one of the two: parity takes the"
                                + " place of copies)",
                        b -> b.checkpointParity(4).localReplicas(1)),
                wrong("--checkpoint-dir: without --run-id (expected: the name", b -> b.checkpointDir(Path.of("/tmp"))),
                wrong("--checkpoint-every: without --checkpoint-dir", b -> b.checkpointEvery(2)),
                wrong("--checkpoint-every: 0 (expected: 1 or more)", b -> b.checkpointEvery(0)),
                wrong("--replacement-wait: -5ms", b -> b.replacementWait(Duration.ofMillis(-5))),
                wrong(
                        "--replacement-wait: 9s (expected: 0s with --restart-policy hard, under which no worker outlives"
                                + " a round)",
                        b -> b.replacementWait(Duration.ofSeconds(9))),
                wrong("--policy-path: no.jar", b -> b.policyPath("no.jar")),
                wrong("--scale-up-delay: -5ms", b -> b.scaleUpDelay(Duration.ofMillis(-5))),
                wrong("--rejoin-back-off: -1s", b -> b.rejoinBackOff(Duration.ofSeconds(-1))),
                wrong("--exclude-cool-down: -1s", b -> b.excludeCoolDown(Duration.ofSeconds(-1))),
                wrong("--pause-timeout: 0s", b -> b.pauseTimeout(Duration.ZERO)),
                wrong(
                        "--store-timeout: 1s (expected: more than --lease-ttl 3s",
                        b -> b.storeTimeout(Duration.ofSeconds(1))),
                wrong("--operation-timeout: -1s", b -> b.operationTimeout(Duration.ofSeconds(-1))),
                wrong("--first-contact-timeout: 0s", b -> b.firstContactTimeout(Duration.ZERO)),
                wrong("--shutdown-timeout: -1s", b -> b.shutdownTimeout(Duration.ofSeconds(-1))),
                wrong("--no-retry-exit-codes: 0 (expected: 1 to 255)", b -> b.noRetryExitCodes(List.of(0))),
                wrong("--no-progress-limit: -1", b -> b.noProgressLimit(-1)),
                wrong("--bind-to: core (expected: at most ", b -> b.bindTo(CpuBinding.CORE)
                        .nprocPerNode(1024)),
                wrong("--log-dir: /proc/none", b -> b.logDir(Path.of("/proc/none"))));
    }

    private static Arguments wrong(String message, UnaryOperator<LaunchConfigBuilder> change) {
        return Arguments.of(message, change);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongValues")
    void build_wrongValue_isNamedWithTheExpectation(String message, UnaryOperator<LaunchConfigBuilder> change) {
        LaunchConfigBuilder builder = change.apply(LaunchConfig.builder("true").logDir(directory));

        assertThatThrownBy(builder::build)
                .isInstanceOf(LaunchConfigException.class)
                .hasMessageStartingWith(message)
                .hasMessageContaining("(expected: ");
    }

    @Test
    void build_programs_mustBeThere() throws IOException {
        Path script = Files.writeString(directory.resolve("script"), "#!/bin/sh\n");

        assertThatThrownBy(() -> LaunchConfig.builder("").logDir(directory).build())
                .hasMessage("PROGRAM: missing (expected: a jar, a Python script or an executable)");
        assertThatThrownBy(() -> LaunchConfig.builder(script.toString())
                        .logDir(directory)
                        .build())
                .hasMessage("PROGRAM: " + script + " (expected: a jar, or a file that can be executed)");
        assertThatThrownBy(() -> LaunchConfig.builder("no-such-program-anywhere")
                        .logDir(directory)
                        .build())
                .hasMessageContaining("a program on the PATH");
    }
}
