/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Certificates;
import dev.elasticrun.samples.testing.TestRun;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A certificate that the user gave ends while the run goes on. */
@Tag("slow")
@Timeout(180)
final class CertificateEndsE2E {
    private static final Duration VALID = Duration.ofSeconds(25);

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void nodeCertificate_endsWhileTheRunWorks_isNamedAndNobodyIsEnded() throws Exception {
        Instant until = Instant.now().plus(VALID).truncatedTo(ChronoUnit.SECONDS);
        Path ending = Certificates.makeUntil(run.directory(), "ending", "nodes", until);
        Path lasting = Certificates.make(run.directory(), "lasting", "nodes");
        Path store = Certificates.make(run.directory(), "store", "store");
        try (EtcdProcess etcd = EtcdProcess.startWithTls(run.directory().resolve("etcd"), store)) {
            AgentProcess one = run.agent(options(etcd, ending, store), run.training(4000));
            AgentProcess two = run.agent(options(etcd, lasting, store), run.training(4000));
            long round = run.awaitTogether(2, one, two);
            assertThat(Instant.now()).as("the run works before").isBefore(until);
            assertThat(one.log().all("certificate.ending")).hasSize(1);

            assertEnds(one, "--tls-cert: " + ending.resolve("cert.pem") + " (CN=ending)", until);
            run.awaitStep(run.lastStep() + 50);

            assertThat(one.log().all("certificate.ended")).hasSize(1);
            assertThat(two.log().all("certificate.ending")).isEmpty();
            Recoveries.killNode(two);
            run.awaitTogether(round, 1, one);
            run.hurryUp();

            assertThat(one.exitCode(TestRun.LIMIT)).as(one::console).isZero();
            assertThat(one.log().everStarted()).hasSize(1);
        }
    }

    @Test
    void etcdCertificate_endsAndEtcdIsStartedAgain_isALostStore() throws Exception {
        Instant until = Instant.now().plus(VALID).truncatedTo(ChronoUnit.SECONDS);
        Path lasting = Certificates.make(run.directory(), "lasting", "nodes");
        Path store = Certificates.make(run.directory(), "store", "store");
        Path ending = Certificates.makeUntil(run.directory(), "ending", "store", until);
        try (EtcdProcess etcd = EtcdProcess.startWithTls(run.directory().resolve("etcd"), store)) {
            List<String> options = options(etcd, lasting, ending);
            options.addAll(List.of("--store-timeout", "10s"));
            AgentProcess agent = run.agent(options, run.training(4000));
            run.awaitTogether(1, agent);
            assertThat(Instant.now()).as("the run works before").isBefore(until);

            assertEnds(agent, "--etcd-cert: " + ending.resolve("cert.pem") + " (CN=ending)", until);
            run.awaitStep(run.lastStep() + 50);
            etcd.kill();
            etcd.restart();

            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(5);
            assertThat(agent.log().all(RunEvent.AgentEnded.class))
                    .singleElement()
                    .satisfies(end -> assertThat(end.reason()).contains("--store-timeout is 10 s", "certificate"));
            assertThat(agent.log().all("certificate.ended")).hasSize(1);
        }
    }

    private static void assertEnds(AgentProcess agent, String certificate, Instant until) {
        RunEvent.CertificateEnded ended = agent.await(RunEvent.CertificateEnded.class);
        assertThat(ended.message()).startsWith(certificate);
        assertThat(ended.end()).isEqualTo(until.toString());
        assertThat(agent.output()).contains(ended.message());
    }

    private List<String> options(EtcdProcess etcd, Path node, Path store) {
        List<String> options = new ArrayList<>(List.of(
                "--rdzv-endpoint",
                etcd.endpoint(),
                "--run-id",
                run.id(),
                "--nnodes",
                "1:2",
                "--restart-policy",
                "soft"));
        options.addAll(Certificates.ofNodes(node));
        options.addAll(Certificates.ofEtcd(store));
        return options;
    }
}
