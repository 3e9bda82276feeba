/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.tls;

import dev.elasticrun.worker.contract.CertificateText;
import dev.elasticrun.worker.contract.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;

/**
 * The expiry of a user-supplied certificate, and its meaning at a time. Pure, but for {@link #of}.
 *
 * @param flag by which it was given
 * @param name of its subject
 * @param end it is not valid any more from then on
 */
public record CertificateEnd(String flag, Path file, String name, Instant end) {
    /** Enough to make another one and to start the run again with it. */
    static final Duration NEAR = Duration.ofDays(1);

    // Clocks may be set: the next check comes before the time that seems to be left is over.
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

    /** What a certificate is at a time. */
    public enum Stage {
        /** It is valid, and for long. */
        LASTING,
        /** It ends in less than a day. */
        ENDING,
        ENDED
    }

    /**
     * Finds in a certificate's chain the first certificate that expires.
     *
     * @throws IOException naming the file first, and what was expected of it
     */
    public static CertificateEnd of(String flag, Path file) throws IOException {
        X509Certificate first = TlsFiles.certificates(file).stream()
                .min(Comparator.comparing(X509Certificate::getNotAfter))
                .orElseThrow();
        return new CertificateEnd(
                flag, file, CertificateText.name(first), first.getNotAfter().toInstant());
    }

    public Stage at(Instant now) {
        if (now.isAfter(end)) {
            return Stage.ENDED;
        }
        return now.isAfter(end.minus(NEAR)) ? Stage.ENDING : Stage.LASTING;
    }

    /** When to look again; there is no need to once it has ended. */
    public Duration nextLook(Instant now) {
        // Certificates count whole seconds, and the last one with them.
        Duration left = Duration.between(now, at(now) == Stage.LASTING ? end.minus(NEAR) : end)
                .plusMillis(1);
        return left.compareTo(LONGEST_WAIT) < 0 ? left : LONGEST_WAIT;
    }

    /** The message for the user at this time. */
    public String text(Instant now) {
        String which = flag + ": " + file + " (" + name + ") ";
        return switch (at(now)) {
            case LASTING -> which + "ends at " + end;
            case ENDING ->
                which + "ends at " + end + ", in " + words(Duration.between(now, end))
                        + ": new connections will be refused then (expected: one that outlives the run)";
            case ENDED ->
                which + "ended at " + end + ": connections that are there go on, new ones are refused, so that"
                        + " neither workers nor nodes can join this one (expected: one that is valid; agents that are started"
                        + " with it take the place of those that have this one)";
        };
    }

    private static String words(Duration left) {
        if (left.toHours() > 0) {
            return left.toHours() + " h " + left.toMinutesPart() + " min";
        }
        return left.toMinutes() > 0 ? left.toMinutes() + " min" : left.toSeconds() + " s";
    }
}
