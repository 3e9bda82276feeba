/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.tls.TlsFixture;
import dev.elasticrun.worker.contract.TlsFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TlsChecksTest {
    @TempDir
    private Path directory;

    private List<String> violations(UnaryOperator<LaunchConfigBuilder> changes) {
        try {
            changes.apply(LaunchConfig.builder("/bin/true").logDir(directory)).build();
            return List.of();
        } catch (LaunchConfigException e) {
            return String.valueOf(e.getMessage()).lines().toList();
        }
    }

    private List<String> given(TlsFiles files) {
        return violations(config ->
                config.tlsCert(files.certificate()).tlsKey(files.key()).tlsCa(files.authorities()));
    }

    @Test
    void given_goodFiles_noViolation() {
        assertThat(given(TlsFixture.valid(directory, "ours"))).isEmpty();
    }

    @Test
    void given_notAll_namesTheMissing() {
        TlsFiles files = TlsFixture.valid(directory, "ours");
        assertThat(violations(config -> config.tlsCert(files.certificate())))
                .satisfiesExactly(
                        key -> assertThat(key).startsWith("--tls-key: "),
                        authorities -> assertThat(authorities).startsWith("--tls-ca: "));
    }

    @Test
    void given_unreadableFile_isNamed() {
        TlsFiles files = TlsFixture.valid(directory, "ours");
        Path absent = directory.resolve("absent.pem");
        assertThat(given(new TlsFiles(files.certificate(), absent, files.authorities())))
                .singleElement()
                .asString()
                .startsWith("--tls-key: " + absent + ": ");
    }

    @Test
    void given_noPem_reportsWhatIsThere() throws Exception {
        TlsFiles files = TlsFixture.valid(directory, "ours");
        TlsFiles whole = TlsFixture.valid(directory.resolve("whole"), "ours");
        Files.writeString(files.certificate(), "hello");
        assertThat(given(files))
                .singleElement()
                .asString()
                .startsWith("--tls-cert: " + files.certificate() + ": ")
                .contains("CERTIFICATE");
        assertThat(given(new TlsFiles(whole.certificate(), files.authorities(), whole.authorities())))
                .singleElement()
                .asString()
                .startsWith("--tls-key: " + files.authorities() + ": CERTIFICATE (")
                .contains("PRIVATE KEY", "openssl pkcs8");
    }

    @Test
    void given_keyOfAnother_isRefused() {
        TlsFiles files = TlsFixture.valid(directory.resolve("a"), "ours");
        TlsFiles others = TlsFixture.valid(directory.resolve("b"), "ours");
        assertThat(given(new TlsFiles(files.certificate(), others.key(), files.authorities())))
                .singleElement()
                .asString()
                .startsWith("--tls-key: " + others.key() + " (expected: ")
                .contains(files.certificate() + ", CN=node");
    }

    @Test
    void given_expired_isRefused() {
        TlsFiles files = TlsFixture.expired(directory, "ours");
        assertThat(given(files))
                .singleElement()
                .asString()
                .startsWith("--tls-cert: " + files.certificate() + " (CN=node) ")
                .contains("2002-01-01T00:00:00Z");
    }

    @Test
    void given_otherAuthority_isRefused() {
        TlsFiles files = TlsFixture.valid(directory.resolve("a"), "ours");
        TlsFiles others = TlsFixture.valid(directory.resolve("b"), "theirs");
        assertThat(given(new TlsFiles(files.certificate(), files.key(), others.authorities())))
                .singleElement()
                .asString()
                .startsWith("--tls-cert: " + files.certificate() + " (CN=node, ")
                .contains("CN=elastic-run ours ", others.authorities() + " ", "CN=elastic-run theirs ");
    }

    @Test
    void etcd_tlsWithoutItsAuthorities_isRefused() {
        assertThat(violations(config ->
                        config.tls(true).rdzvEndpoints(List.of("10.0.0.1:2379")).runId("demo")))
                .singleElement()
                .asString()
                .startsWith("--etcd-ca: ")
                .contains("10.0.0.1:2379");
    }

    @Test
    void etcd_authoritiesForAnEmbeddedStore_areRefused() {
        TlsFiles files = TlsFixture.valid(directory, "ours");
        assertThat(violations(config -> config.etcdCa(files.authorities())))
                .singleElement()
                .asString()
                .startsWith("--etcd-ca, --etcd-cert, --etcd-key: ");
    }

    @Test
    void etcd_withoutTlsOfNodes_isAllowed() {
        TlsFiles files = TlsFixture.valid(directory, "ours");
        assertThat(violations(config -> config.etcdCa(files.authorities())
                        .rdzvEndpoints(List.of("10.0.0.1:2379"))
                        .runId("demo")))
                .isEmpty();
    }
}
