/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.tls.CertificateEnd.Stage;
import dev.elasticrun.rendezvous.golden.GoldenFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CertificateEndTest {
    private static final Instant END = Instant.parse("2030-01-03T00:00:00Z");
    private static final CertificateEnd CERTIFICATE =
            new CertificateEnd("--tls-cert", Path.of("/etc/cert.pem"), "CN=a", END);

    @Test
    void at_aDayBeforeAndAtTheLastSecond_changes() {
        assertThat(CERTIFICATE.at(END.minus(CertificateEnd.NEAR))).isEqualTo(Stage.LASTING);
        assertThat(CERTIFICATE.at(END.minus(CertificateEnd.NEAR).plusMillis(1))).isEqualTo(Stage.ENDING);
        assertThat(CERTIFICATE.at(END)).isEqualTo(Stage.ENDING);
        assertThat(CERTIFICATE.at(END.plusMillis(1))).isEqualTo(Stage.ENDED);
    }

    @Test
    void nextLook_neverSkipsAStage_evenIfTheClockIsSet() {
        assertThat(CERTIFICATE.nextLook(END.minus(Duration.ofDays(30)))).isEqualTo(Duration.ofMinutes(10));
        assertThat(CERTIFICATE.nextLook(END.minus(CertificateEnd.NEAR).minusSeconds(5)))
                .isEqualTo(Duration.ofMillis(5001));
        assertThat(CERTIFICATE.nextLook(END.minusSeconds(7200))).isEqualTo(Duration.ofMinutes(10));
        assertThat(CERTIFICATE.nextLook(END.minusSeconds(3))).isEqualTo(Duration.ofMillis(3001));
        assertThat(CERTIFICATE.at(END.plus(CERTIFICATE.nextLook(END)))).isEqualTo(Stage.ENDED);
    }

    @Tag("golden")
    @Test
    void text_ofEachStage_isAsInTheGoldenFile() throws IOException {
        GoldenFile.of(CertificateEndTest.class, "certificate-end.txt")
                .add("it ends in hours", CERTIFICATE.text(END.minusSeconds(3 * 3600 + 120)))
                .add("it ends in seconds", CERTIFICATE.text(END.minusSeconds(59)))
                .add("it has ended", CERTIFICATE.text(END.plusSeconds(1)))
                .assertSame();
    }

    @Test
    void text_namesFlagFileSubjectAndDate() {
        assertThat(CERTIFICATE.text(END.minusSeconds(3 * 3600 + 120)))
                .startsWith("--tls-cert: /etc/cert.pem (CN=a) ")
                .contains(END.toString(), "3 h 2 min");
        assertThat(CERTIFICATE.text(END.minusSeconds(59))).contains(", in 59 s: ");
        assertThat(CERTIFICATE.text(END.plusSeconds(1)))
                .startsWith("--tls-cert: /etc/cert.pem (CN=a) ")
                .contains(END.toString());
    }
}
