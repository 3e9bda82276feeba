/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.elasticrun.agent.tls.CertificateMaker.Validity;
import dev.elasticrun.rendezvous.golden.GoldenFile;
import dev.elasticrun.worker.contract.TlsMaterial;
import java.io.IOException;
import java.security.KeyPair;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class RunAuthorityTest {
    private static final byte[] KEY = new byte[32];
    private static final byte[] OTHER = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

    @Test
    void of_sameKeyAndRun_isTheSameAuthority() {
        X509Certificate one = RunAuthority.of(KEY, "demo").certificate();
        X509Certificate other = RunAuthority.of(KEY, "demo").certificate();
        assertThat(other.getPublicKey()).isEqualTo(one.getPublicKey());
        assertThat(other.getSubjectX500Principal()).isEqualTo(one.getSubjectX500Principal());
    }

    @Test
    void of_otherKeyOrRun_isAnotherAuthority() {
        X509Certificate one = RunAuthority.of(KEY, "demo").certificate();
        for (RunAuthority other : List.of(RunAuthority.of(OTHER, "demo"), RunAuthority.of(KEY, "demo2"))) {
            assertThat(other.certificate().getPublicKey()).isNotEqualTo(one.getPublicKey());
            assertThat(other.certificate().getSubjectX500Principal()).isNotEqualTo(one.getSubjectX500Principal());
        }
    }

    /** Computed by another program from RFC 5869 and the curve's definition. */
    @Test
    void derivedKey_knownSecret_isAsElsewhere() {
        KeyPair keys = DerivedKey.of(KEY, "elastic-run tls authority 1 demo");
        assertThat(HexFormat.of()
                        .formatHex(fixed(((ECPublicKey) keys.getPublic()).getW().getAffineX())))
                .isEqualTo("6eea7af89b6182cda751630ad09546e5dd9ebd31dc94f30f00b0e7a5e9e2c1ae");
        assertThat(HexFormat.of().formatHex(fixed(((ECPrivateKey) keys.getPrivate()).getS())))
                .isEqualTo("83c1ce7bb9c730fe39e2a4cb70311c4cd6f495e6965e30a46fd098c1f3c051d7");
    }

    private static byte[] fixed(java.math.BigInteger number) {
        byte[] bytes = new byte[32];
        byte[] given = number.toByteArray();
        int length = Math.min(32, given.length);
        System.arraycopy(given, given.length - length, bytes, 32 - length, length);
        return bytes;
    }

    @Test
    void issue_ofTheSameAuthority_isBelieved_ofAnotherNot() {
        TlsMaterial ours = RunAuthority.of(KEY, "demo").issue("node-1", List.of("127.0.0.1"));
        TlsMaterial peer = RunAuthority.of(KEY, "demo").issue("node-2", List.of());
        TlsMaterial stranger = RunAuthority.of(OTHER, "demo").issue("node-3", List.of());
        assertThatCode(() -> check(ours, peer)).doesNotThrowAnyException();
        assertThatThrownBy(() -> check(ours, stranger))
                .isInstanceOf(CertificateException.class)
                .hasMessageContaining("CN=node-3, ")
                .hasMessageContaining(
                        ours.authorities().get(0).getSubjectX500Principal().getName());
    }

    @Test
    void issue_onlyAPastOrFutureTime_isRefusedWithTheTime() {
        RunAuthority authority = RunAuthority.of(KEY, "demo");
        TlsMaterial ours = authority.issue("node-1", List.of());
        Instant end = Instant.parse("2002-01-01T00:00:00Z");
        Instant start = Instant.parse("2400-01-01T00:00:00Z");
        assertThatThrownBy(() -> check(ours, authority.issue("old", List.of(), Instant.EPOCH, end)))
                .hasMessageContaining(end.toString());
        assertThatThrownBy(() -> check(ours, authority.issue("new", List.of(), start, start)))
                .hasMessageContaining(start.toString());
    }

    @Tag("golden")
    @Test
    void refusal_ofEachCertificate_isAsInTheGoldenFile() throws IOException {
        RunAuthority authority = RunAuthority.of(KEY, "demo");
        Instant end = Instant.parse("2002-01-01T00:00:00Z");
        Instant start = Instant.parse("2400-01-01T00:00:00Z");
        GoldenFile.of(RunAuthorityTest.class, "certificates.txt")
                .add(
                        "of another authority",
                        refusal(RunAuthority.of(OTHER, "demo").issue("node-3", List.of())))
                .add("that has ended", refusal(authority.issue("old", List.of(), Instant.EPOCH, end)))
                .add("that has not begun", refusal(authority.issue("new", List.of(), start, start)))
                .assertSame();
    }

    /** Without what the JDK adds to it. */
    private static String refusal(TlsMaterial shown) {
        TlsMaterial ours = RunAuthority.of(KEY, "demo").issue("node-1", List.of());
        Throwable refused = catchThrowable(() -> check(ours, shown));
        return String.valueOf(refused.getMessage()).replaceFirst("; [^;]*\\)$", "; ...)");
    }

    @Test
    void issue_leaf_namesNodeAndHosts_andIsNoAuthority() throws Exception {
        X509Certificate leaf = RunAuthority.of(KEY, "demo")
                .issue("node-1", List.of("localhost", "10.1.2.3"))
                .chain()
                .get(0);
        assertThat(leaf.getSubjectAlternativeNames())
                .containsExactlyInAnyOrder(List.of(2, "node-1"), List.of(2, "localhost"), List.of(7, "10.1.2.3"));
        assertThat(leaf.getBasicConstraints()).isEqualTo(-1);
        assertThat(leaf.getKeyUsage()).startsWith(true, false, false);
        assertThat(leaf.getNotAfter().toInstant()).isEqualTo(Instant.parse("9999-12-31T23:59:59Z"));
    }

    /** A node's key cannot vouch for others: only the run key can. */
    @Test
    void issue_byALeaf_isNotBelieved() throws Exception {
        RunAuthority authority = RunAuthority.of(KEY, "demo");
        TlsMaterial ours = authority.issue("node-1", List.of());
        TlsMaterial leaf = authority.issue("node-2", List.of());
        X509Certificate forged = new CertificateMaker(
                        "node-2", new KeyPair(leaf.chain().get(0).getPublicKey(), leaf.key()))
                .leaf("node-3", ours.chain().get(0).getPublicKey(), List.of("node-3"), Validity.ALWAYS);
        assertThatThrownBy(() -> ours.trustManager()
                        .checkClientTrusted(
                                new X509Certificate[] {forged, leaf.chain().get(0)}, "UNKNOWN"))
                .isInstanceOf(CertificateException.class);
    }

    private static void check(TlsMaterial ours, TlsMaterial shown) throws CertificateException {
        ours.trustManager().checkServerTrusted(shown.chain().toArray(new X509Certificate[0]), "UNKNOWN");
    }
}
