/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.rendezvous.store.FreePort;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Input that only a store, or its absence, can prove to be bad: exit 2, value and expectation in words. */
@Timeout(120)
@Tag("once")
final class BadInputE2E {
    private static final List<String> PROGRAM = Project.training(250, 20);

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void agent_otherNnodes_isRefusedAndTheFirstGoesOn() throws IOException {
        assertSecondIsRefused(List.of("--nnodes", "1:3"), "1:2", "1:3");
    }

    @Test
    void agent_otherPolicy_isRefusedAndTheFirstGoesOn() throws IOException {
        assertSecondIsRefused(List.of("--nnodes", "1:2", "--restart-policy", "soft"), "hard", "soft");
    }

    @Test
    void agent_protectsLocalStatesOtherwise_isRefusedAndTheFirstGoesOn() throws IOException {
        assertSecondIsRefused(
                List.of("--nnodes", "1:2", "--restart-policy", "hard", "--checkpoint-parity", "4"),
                "(expected: --local-replicas 2 on all nodes,",
                "--checkpoint-parity: 4");
    }

    private void assertSecondIsRefused(List<String> differing, String theirs, String ours) throws IOException {
        Path stop = run.directory().resolve("stop");
        AgentProcess first = run.agent(
                run.onEtcd("--nnodes", "1:2", "--restart-policy", "hard", "--last-call-timeout", "0s"),
                List.of("sh", "-c", "while ! [ -e \"$0\" ]; do sleep 0.05; done", stop.toString()));
        first.await("worker", TestRun.LIMIT, log -> !log.running().isEmpty());

        AgentProcess second = run.agent(run.onEtcd(differing.toArray(String[]::new)), PROGRAM);

        assertThat(second.exitCode(TestRun.LIMIT)).as(second::console).isEqualTo(2);
        assertThat(second.output()).contains(theirs, ours, "expected");
        assertThat(first.isAlive()).as(first::console).isTrue();
        Files.createFile(stop);
        assertThat(first.exitCode(TestRun.LIMIT)).as(first::console).isZero();
        assertThat(first.log().everStarted()).hasSize(1);
    }

    @Test
    void agent_severalNodesWithoutRunId_isRefused() {
        AgentProcess agent =
                run.agent(List.of("--nnodes", "2", "--rdzv-endpoint", run.etcd().endpoint()), PROGRAM);

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(2);
        assertThat(agent.output()).contains("--run-id: not given");
    }

    @Test
    void agent_endpointDoesNotAnswer_reportsWhichAndAfterHowLong() throws IOException {
        int port = FreePort.find();
        AgentProcess agent = run.agent(
                List.of(
                        "--nnodes",
                        "2",
                        "--run-id",
                        run.id(),
                        "--rdzv-endpoint",
                        "127.0.0.1:" + port,
                        "--first-contact-timeout",
                        "1s"),
                PROGRAM);

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(5);
        assertThat(agent.output()).contains("127.0.0.1:" + port).containsPattern("1 ?s");
    }

    @Test
    void agent_portOfTheEmbeddedStoreIsSomebodyElses_reportsIt() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String endpoint = "127.0.0.1:" + other.getLocalPort();
            AgentProcess agent = run.agent(
                    List.of(
                            "--nnodes",
                            "2",
                            "--run-id",
                            run.id(),
                            "--rdzv-backend",
                            "embedded",
                            "--rdzv-endpoint",
                            endpoint,
                            "--first-contact-timeout",
                            "1s"),
                    PROGRAM);

            assertThat(agent.exitCode(Duration.ofSeconds(30)))
                    .as(agent::console)
                    .isEqualTo(2);
            assertThat(agent.output()).contains("expected");
        }
    }

    @Test
    void agent_etcdAsksForAUser_reportsItAndWorksWithOne() throws IOException {
        Path password = Files.writeString(run.directory().resolve("password"), "root\n");
        try (EtcdProcess etcd = EtcdProcess.start(run.directory().resolve("etcd"))) {
            etcd.ctl("user", "add", "root:root");
            etcd.ctl("user", "grant-role", "root", "root");
            etcd.ctl("auth", "enable");
            List<String> options = new ArrayList<>(List.of("--run-id", run.id(), "--rdzv-endpoint", etcd.endpoint()));
            AgentProcess nobody = run.agent(options, PROGRAM);
            assertThat(nobody.exitCode(Duration.ofSeconds(30)))
                    .as(nobody::console)
                    .isEqualTo(2);
            assertThat(nobody.output()).contains("(expected: --etcd-user and");

            options.addAll(List.of("--etcd-user", "root", "--etcd-password-file", password.toString()));
            AgentProcess user = run.agent(options, List.of("true"));
            assertThat(user.exitCode(TestRun.LIMIT)).as(user::console).isZero();
        }
    }
}
