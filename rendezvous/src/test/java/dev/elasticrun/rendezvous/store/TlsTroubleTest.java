/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.golden.GoldenFile;
import java.io.IOException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class TlsTroubleTest {
    @Test
    void of_anotherFailure_isEmpty() {
        assertThat(TlsTrouble.of(new IOException("Connection refused"))).isEmpty();
        assertThat(TlsTrouble.guess(new IOException("Connection refused"), true))
                .isEmpty();
    }

    @Test
    void of_aRefusedCertificate_isWhatItsTrustManagerStates() {
        Exception refused = new SSLException("handshake", new CertificateException("not ours"));

        assertThat(TlsTrouble.of(new IOException("UNAVAILABLE", refused))).contains("not ours");
    }

    @Tag("golden")
    @Test
    void of_eachTrouble_isAsInTheGoldenFile() throws IOException {
        Exception closed = new IOException("UNAVAILABLE: Network closed for unknown reason");
        GoldenFile.of(TlsTroubleTest.class, "tls-troubles.txt")
                .add("a refused certificate", of("Received fatal alert: certificate_unknown"))
                .add("no TLS there", of("not an SSL/TLS record: 485454"))
                .add(
                        "TLS there only",
                        of("First received frame was not SETTINGS. Hex dump for first 5 bytes: 1503030002"))
                .add("closed, with TLS here", TlsTrouble.guess(closed, true).orElseThrow())
                .add("closed, without TLS here", TlsTrouble.guess(closed, false).orElseThrow())
                .assertSame();
    }

    private static String of(String failure) {
        return TlsTrouble.of(new IOException("UNAVAILABLE", new SSLException(failure)))
                .orElseThrow();
    }
}
