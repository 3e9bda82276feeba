/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.tls;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.StoreUntrustedException;
import dev.elasticrun.rendezvous.store.embedded.ConnectionGate;
import dev.elasticrun.rendezvous.store.embedded.EmbeddedEtcdServer;
import dev.elasticrun.rendezvous.store.embedded.StoreAccess;
import dev.elasticrun.rendezvous.store.etcd.EtcdStore;
import dev.elasticrun.rendezvous.store.etcd.EtcdStoreConfig;
import dev.elasticrun.worker.contract.TlsFiles;
import io.grpc.ChannelCredentials;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Stores over TLS: the embedded one with certificates of the run, a real etcd with given ones. */
@Timeout(60)
final class StoreTlsIT {
    private static final byte[] KEY = "0123456789abcdef".getBytes(UTF_8);
    private static final byte[] OTHER = "fedcba9876543210".getBytes(UTF_8);

    @TempDir
    private Path directory;

    private final Queue<String> refused = new ConcurrentLinkedQueue<>();

    private static RunTls known(byte[] key) {
        RunTls tls = RunTls.generated("demo", "node-1", List.of("localhost", "127.0.0.1"));
        tls.known(key);
        return tls;
    }

    private EmbeddedEtcdServer serve(RunTls tls) {
        return EmbeddedEtcdServer.start(
                "127.0.0.1",
                0,
                StoreAccess.of(null),
                tls.server(),
                new EmbeddedEtcdServer.Listening(
                        HandshakeWatch.channels((caller, timer) -> true, (protocol, from, why) -> refused.add(why)),
                        new ConnectionGate(),
                        true));
    }

    private static void grant(String endpoint, @Nullable ChannelCredentials tls) throws Exception {
        // The first call of a process loads the client, which takes long where processors are short.
        EtcdStoreConfig config =
                EtcdStoreConfig.of(List.of(endpoint)).withTls(tls).withCallDeadline(Duration.ofSeconds(30));
        try (EtcdStore store = EtcdStore.connect(config)) {
            store.grantLease(Duration.ofSeconds(5)).get(30, TimeUnit.SECONDS);
            store.range(new KeyRange("/a", "/b")).get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void embedded_nodeOfTheRun_isServed_othersReceiveTheReason() throws Exception {
        try (EmbeddedEtcdServer server = serve(known(KEY))) {
            grant(server.endpoint(), known(KEY).client());
            assertThatThrownBy(() -> grant(server.endpoint(), known(OTHER).client()))
                    .hasCauseInstanceOf(StoreUntrustedException.class)
                    .hasMessageContaining("127.0.0.1:" + server.port() + " (CN=node-1, ");
            assertThatThrownBy(() -> grant(server.endpoint(), null)).hasMessageContaining("(expected: TLS here, ");
            assertThatThrownBy(() -> grant(
                            server.endpoint(),
                            H2Context.client(null, known(KEY).material().trustManager())))
                    .hasMessageContaining("; the other end ")
                    .hasMessageContaining("(expected: ");
            await().untilAsserted(() -> assertThat(refused)
                    .contains("what it sent is not TLS")
                    .anyMatch(why -> why.contains("Empty client certificate chain"))
                    .anyMatch(why -> why.contains("certificate_unknown")));
        }
    }

    @Test
    void embedded_renewalOverADistrustedConnection_namesTheCertificate() throws Exception {
        try (EmbeddedEtcdServer server = serve(known(KEY));
                EtcdStore store = EtcdStore.connect(EtcdStoreConfig.of(List.of(server.endpoint()))
                        .withTls(known(OTHER).client()))) {
            assertThatThrownBy(() -> store.renewLease(1).get(10, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(StoreUntrustedException.class)
                    .hasMessageContaining("127.0.0.1:" + server.port() + " (CN=node-1, ");
        }
    }

    @Test
    void embedded_withoutTls_isReported() {
        try (EmbeddedEtcdServer server = EmbeddedEtcdServer.start("127.0.0.1", 0, null)) {
            assertThatThrownBy(() -> grant(server.endpoint(), known(KEY).client()))
                    .hasCauseInstanceOf(StoreUntrustedException.class)
                    .hasMessageContaining("(expected: TLS ");
        }
    }

    @Test
    void embedded_keyNotKnownYet_refusesUntilItIs() throws Exception {
        RunTls late = RunTls.generated("demo", "node-2", List.of());
        try (EmbeddedEtcdServer server = serve(late)) {
            assertThatThrownBy(() -> grant(server.endpoint(), known(KEY).client()))
                    .hasCauseInstanceOf(StoreUntrustedException.class);
            late.known(KEY);
            grant(server.endpoint(), known(KEY).client());
        }
    }

    @Test
    void embedded_etcdctl_looksInWithTheFilesOfTheRunDirectory() throws Exception {
        RunTls tls = known(KEY);
        TlsFiles files = TlsFixture.write(directory, tls.material());
        try (EmbeddedEtcdServer server = serve(tls)) {
            List<String> shown =
                    List.of("--cacert=" + files.authorities(), "--cert=" + files.certificate(), "--key=" + files.key());
            assertThat(etcdctl(server, shown, "put", "/a", "1")).isEqualTo("OK\n");
            assertThat(etcdctl(server, shown, "get", "--print-value-only", "/a"))
                    .isEqualTo("1\n");
            List<String> unchecked =
                    List.of("--insecure-skip-tls-verify", "--cert=" + files.certificate(), "--key=" + files.key());
            assertThat(etcdctl(server, unchecked, "get", "--print-value-only", "/a"))
                    .isEqualTo("1\n");
        }
    }

    private static String etcdctl(EmbeddedEtcdServer server, List<String> shown, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(EtcdProcess.binaries().resolve("etcdctl").toString()));
        command.add("--endpoints=https://" + server.endpoint());
        command.addAll(shown);
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("ETCDCTL_API", "3");
        Process process = builder.start();
        return new String(process.getInputStream().readAllBytes(), UTF_8);
    }

    @Test
    void etcd_withItsOwnAuthority_isTrustedByNameAndAuthority() throws Exception {
        TlsFixture.valid(directory.resolve("etcd"), "etcd");
        TlsFiles own = TlsFixture.valid(directory.resolve("own"), "etcd");
        TlsFiles stranger = TlsFixture.valid(directory.resolve("stranger"), "theirs");
        try (EtcdProcess etcd = EtcdProcess.startWithTls(directory.resolve("data"), directory.resolve("etcd"))) {
            grant(etcd.endpoint(), EtcdTls.credentials(files(own, own)));
            assertThatThrownBy(() -> grant(etcd.endpoint(), EtcdTls.credentials(files(stranger, own))))
                    .hasCauseInstanceOf(StoreUntrustedException.class)
                    .hasMessageContaining(etcd.endpoint() + " (CN=node, ")
                    .hasMessageContaining(" CN=elastic-run theirs ");
            assertThatThrownBy(() -> grant(etcd.endpoint(), EtcdTls.credentials(files(own, stranger))))
                    .hasMessageContaining("; the other end ")
                    .hasMessageContaining("(expected: ");
            assertThatThrownBy(() -> grant(etcd.endpoint(), null)).hasMessageContaining("etcd grant");
        }
    }

    @Test
    void etcd_certificateForAnotherHost_isRefusedWithTheName() throws Exception {
        TlsFiles own = TlsFixture.valid(directory.resolve("own"), "etcd");
        RunTls elsewhere = RunTls.given(TlsFixture.authority("etcd").issue("elsewhere", List.of()));
        try (EmbeddedEtcdServer server = serve(elsewhere)) {
            assertThatThrownBy(() -> grant(server.endpoint(), EtcdTls.credentials(files(own, own))))
                    .hasCauseInstanceOf(StoreUntrustedException.class)
                    .hasMessageContaining("(CN=elsewhere) ");
        }
    }

    private static EtcdTls.Files files(TlsFiles authorities, TlsFiles shown) {
        return new EtcdTls.Files(authorities.authorities(), Optional.of(shown.certificate()), Optional.of(shown.key()));
    }
}
