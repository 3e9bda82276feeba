/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import java.security.cert.CertificateException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Explains as text why two ends establish no TLS connection. Pure. */
public final class TlsTrouble {
    private static final String ALERT = "Received fatal alert: ";
    /** Nothing was done over a connection that ended by one of these. */
    private static final Pattern REFUSAL =
            Pattern.compile(ALERT + "\\w*(certificate|unknown_ca|access_denied|handshake_failure|protocol_version)");

    /** How a record of TLS begins, an alert or a handshake, where HTTP/2 was expected. */
    private static final String NOT_HTTP = "First received frame was not SETTINGS. Hex dump for first 5 bytes: 1";

    private static final String NOT_TLS = "not an SSL/TLS record";
    private static final String UNSUPPORTED = "Unsupported or unrecognized SSL message";

    // The whole description by gRPC of a server that refuses a certificate, or a caller in plain text, after it took
    // the connection.
    private static final String CLOSED = "Network closed for unknown reason";

    private TlsTrouble() {}

    /**
     * What may be the reason when the other end closed a connection on which nothing was answered yet; empty when the
     * failure was another one.
     *
     * @param isEncrypted whether this end spoke TLS
     */
    public static Optional<String> guess(Throwable failure, boolean isEncrypted) {
        return String.valueOf(failure.getMessage()).contains(CLOSED)
                ? Optional.of(
                        isEncrypted
                                ? "the other end closed the connection, as one does that distrusts our certificate"
                                        + " (expected: one that its authorities vouch for)"
                                : "the other end closed the connection, as one does that speaks TLS only"
                                        + " (expected: TLS here, too, if it does)")
                : Optional.empty();
    }

    /** What is to be done about it; empty when the failure has to do with other things. */
    public static Optional<String> of(@Nullable Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            String message = String.valueOf(each.getMessage());
            if (each instanceof CertificateException) {
                return Optional.of(message);
            } else if (REFUSAL.matcher(message).find()) {
                String alert = message.substring(message.indexOf(ALERT) + ALERT.length());
                return Optional.of("the other end refused what we showed, and answered " + alert
                        + " (expected: a certificate that its authorities vouch for)");
            } else if (message.contains(NOT_TLS) || message.contains(UNSUPPORTED)) {
                return Optional.of("the other end does not speak TLS (expected: TLS at both ends, or at none)");
            } else if (message.contains(NOT_HTTP)) {
                return Optional.of("the other end speaks TLS (expected: --tls here, too)");
            }
        }
        return Optional.empty();
    }
}
