/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.rendezvous.store.FreePort;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.etcd.EtcdStore;
import dev.elasticrun.rendezvous.store.etcd.EtcdStoreConfig;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Certificates;
import dev.elasticrun.samples.testing.Command;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.worker.contract.PeerTable;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs whose nodes encrypt all that they send to each other: they recover as others do, and strangers learn nothing. */
@Timeout(120)
final class TlsE2E {
    private static final List<String> PROGRAM = List.of("samples/target/elastic-samples.jar", "all-reduce");

    /** Of a machine that has other work, too. */
    private static final Duration STORE_ANSWER = Duration.ofSeconds(9);

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    @Tag("once")
    void train_generatedCertificates_recoversAndShowsNothingToStrangers() throws Exception {
        List<String> options = embedded("--tls", "--nnodes", "1:2", "--last-call-timeout", "60s");
        AgentProcess serving = run.agent(options, run.training());
        serving.await(RunEvent.RunJoined.class);
        AgentProcess joining = run.agent(options, run.training());
        long round = run.awaitTogether(2, serving, joining);

        for (LocalRuns.LocalRun agent : LocalRuns.find(run.id())) {
            assertRefusesPlainText(agent);
        }
        LocalRuns.LocalRun known = LocalRuns.find(run.id()).get(0);
        Path key = Objects.requireNonNull(known.file().tls()).resolveSibling("key");
        assertAnswered(List.of());
        String endpoint = known.file().endpoints().get(0);
        assertAnswered(List.of("--rdzv-endpoint", endpoint, "--run-key-file", key.toString()));
        assertWorkersRefusePlainText(round);

        joining.worker(joining.log().running().get(0).pid()).destroyForcibly();
        round = run.awaitTogether(round + 1, 2, serving, joining);
        Recoveries.killNode(joining);
        run.awaitTogether(round, 1, serving);
        run.hurryUp();

        assertThat(serving.exitCode(TestRun.LIMIT)).as(serving::console).isZero();
        assertThat(serving.log().everStarted()).hasSize(1);
        assertThat(run.trained()).singleElement().satisfies(trained -> assertThat(trained.accuracy())
                .isGreaterThanOrEqualTo(0.95));
    }

    @Tag("slow")
    @Test
    void allReduce_givenCertificatesAndEtcdWithItsOwn_ends() throws Exception {
        Path node = Certificates.make(run.directory(), "node", "nodes");
        Path store = Certificates.make(run.directory(), "store", "store");
        try (EtcdProcess etcd = EtcdProcess.startWithTls(run.directory().resolve("etcd"), store)) {
            List<String> common =
                    new ArrayList<>(List.of("--rdzv-endpoint", etcd.endpoint(), "--run-id", run.id(), "--nnodes", "2"));
            List<String> options = new ArrayList<>(common);
            options.addAll(Certificates.ofNodes(node));
            options.addAll(Certificates.ofEtcd(store));
            AgentProcess first = run.agent(options, PROGRAM);
            first.await(RunEvent.RunJoined.class);

            assertAnsweredElsewhere(etcd.endpoint(), node, store);

            List<String> others = new ArrayList<>(common);
            others.addAll(Certificates.ofNodes(Certificates.make(run.directory(), "other", "others")));
            others.addAll(Certificates.ofEtcd(store));
            assertRefused(others, "--tls: ca sha256:", "(expected: ca sha256:");

            List<String> plain = new ArrayList<>(common);
            plain.addAll(Certificates.ofEtcd(store));
            assertRefused(plain, "--tls: off (expected: ca sha256:");

            List<String> distrustful = new ArrayList<>(common);
            distrustful.addAll(Certificates.ofNodes(node));
            assertRefused(
                    distrustful, etcd.endpoint() + " (CN=store,", "(expected: one issued by CN=elastic-run nodes ");

            AgentProcess second = run.agent(options, PROGRAM);
            assertThat(second.exitCode(TestRun.LIMIT)).as(second::console).isZero();
            assertThat(first.exitCode(TestRun.LIMIT)).as(first::console).isZero();
        }
    }

    @Tag("once")
    @Test
    void start_expiredCertificate_isRefused() throws Exception {
        Path files = Certificates.makeExpired(run.directory(), "old", "nodes");
        assertRefused(
                Certificates.ofNodes(files),
                "--tls-cert: " + files.resolve("cert.pem")
                        + " (CN=old) ended at 2002-01-01T00:00:00Z (expected: a certificate that is valid now)");
    }

    @Tag("once")
    @Test
    void join_withoutAWord_doesAsTheRunAndAskedOtherwiseIsRefused() throws Exception {
        List<String> options = embedded("--tls", "--nnodes", "2");
        AgentProcess serving = run.agent(options, PROGRAM);
        serving.await(RunEvent.RunJoined.class);

        List<String> unasked = without(options, "--tls");
        List<String> insecure = new ArrayList<>(unasked);
        insecure.add("--insecure");
        assertRefused(insecure, "--tls: off (expected: on,");

        AgentProcess joining = run.agent(unasked, PROGRAM);
        assertThat(joining.exitCode(TestRun.LIMIT)).as(joining::console).isZero();
        assertThat(joining.hasStartedOver()).as(joining::console).isTrue();
        assertThat(serving.exitCode(TestRun.LIMIT)).as(serving::console).isZero();
    }

    /** A command that finds the run by its store only needs what an agent needs. */
    private void assertAnsweredElsewhere(String endpoint, Path node, Path store) {
        List<String> options = new ArrayList<>(List.of("--rdzv-endpoint", endpoint));
        options.addAll(Certificates.ofEtcd(store));
        Command.Result unknown = status(options);
        assertThat(unknown.exitCode()).as(unknown.output()).isEqualTo(2);
        assertThat(unknown.output()).contains("--tls-ca: not given", run.id());
        options.addAll(Certificates.ofNodes(node));
        assertAnswered(options);
    }

    private void assertRefused(List<String> options, String... stated) {
        AgentProcess agent = run.agent(options, PROGRAM);
        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(2);
        assertThat(agent.output()).contains(stated);
    }

    private static List<String> without(List<String> options, String option) {
        return options.stream().filter(each -> !each.equals(option)).toList();
    }

    private List<String> embedded(String... more) throws IOException {
        List<String> options = new ArrayList<>(List.of(
                "--restart-policy",
                "soft",
                "--run-id",
                run.id(),
                "--rdzv-backend",
                "embedded",
                "--rdzv-endpoint",
                "127.0.0.1:" + FreePort.find()));
        options.addAll(List.of(more));
        return options;
    }

    private Command.Result status(List<String> options) {
        List<String> command =
                new ArrayList<>(List.of(Project.LAUNCHER.toString(), "status", "--run-id", run.id(), "--json"));
        command.addAll(options);
        return Command.run(Map.of(), TestRun.LIMIT, command);
    }

    private void assertAnswered(List<String> options) {
        Command.Result status = status(options);
        assertThat(status.exitCode()).as(status.output()).isZero();
        assertThat(status.output()).contains("\"run\" : \"" + run.id() + "\"");
    }

    /** Asked by gRPC in plain text, neither the store nor the control service answers. */
    private static void assertRefusesPlainText(LocalRuns.LocalRun agent) {
        List<String> addresses = new ArrayList<>(agent.file().endpoints());
        addresses.add(agent.file().control());
        for (String address : addresses) {
            try (EtcdStore store =
                    EtcdStore.connect(EtcdStoreConfig.of(List.of(address)).withCallDeadline(STORE_ANSWER))) {
                assertThatThrownBy(() -> store.range(new KeyRange("/", "0")).get(10, TimeUnit.SECONDS))
                        .hasMessageContaining("as one does that speaks TLS only");
            }
        }
    }

    /** Asked for their version in plain HTTP, they send nothing but a TLS alert, if that. */
    private void assertWorkersRefusePlainText(long round) throws IOException {
        Path tls = Objects.requireNonNull(LocalRuns.find(run.id()).get(0).file().tls());
        Path peers = tls.resolveSibling("peers").resolve(Long.toString(round));
        List<PeerTable.Peer> workers =
                PeerTable.decode(Files.readAllBytes(peers)).peers();
        assertThat(workers).hasSize(2);
        for (PeerTable.Peer worker : workers) {
            try (Socket socket = new Socket(worker.host(), worker.port())) {
                socket.getOutputStream()
                        .write("GET /version HTTP/1.1\r\nHost: worker\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                byte[] stated = socket.getInputStream().readAllBytes();
                assertThat(stated.length).as("bytes of worker " + worker.rank()).isIn(0, 7);
            }
        }
    }
}
