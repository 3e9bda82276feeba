/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.trainer;

import dev.elasticrun.worker.contract.TlsFiles;
import dev.elasticrun.worker.contract.TlsMaterial;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** Sends a status to Trainer's server. Both files are read each time, since Trainer replaces them. Any thread. */
public final class TrainerPost {
    private static final int OK = 200;
    private static final int MOST_WORDS = 500;
    private static final Pattern TOKEN = Pattern.compile("[!-~]+");

    private final TrainerEndpoint endpoint;
    private final Duration limit;

    /** @param limit for the connection, and for each answer */
    public TrainerPost(TrainerEndpoint endpoint, Duration limit) {
        this.endpoint = endpoint;
        this.limit = limit;
    }

    /** @throws IOException if it is not taken; in the server's words, if it answered */
    public void send(TrainerStatus status, Instant now) throws IOException {
        byte[] body = status.json(now).getBytes(StandardCharsets.UTF_8);
        HttpsURLConnection connection =
                (HttpsURLConnection) endpoint.url().toURL().openConnection();
        try {
            connection.setSSLSocketFactory(trust().getSocketFactory());
            connection.setConnectTimeout((int) limit.toMillis());
            connection.setReadTimeout((int) limit.toMillis());
            connection.setInstanceFollowRedirects(false);
            connection.setRequestMethod("POST");
            connection.setRequestProperty("Authorization", "Bearer " + token());
            connection.setRequestProperty("Content-Type", "application/json");
            connection.setDoOutput(true);
            connection.setFixedLengthStreamingMode(body.length);
            try (OutputStream request = connection.getOutputStream()) {
                request.write(body);
            }
            int code = connection.getResponseCode();
            if (code != OK) {
                throw new IOException("HTTP status " + code + words(connection));
            }
        } finally {
            connection.disconnect();
        }
    }

    // What the JDK reports of a header that is none contains the whole of it.
    private String token() throws IOException {
        String token = Files.readString(endpoint.token()).strip();
        if (!TOKEN.matcher(token).matches()) {
            throw new IOException(endpoint.token() + ": not a token (expected: one word of visible ASCII characters)");
        }
        return token;
    }

    private SSLContext trust() throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    null,
                    new TrustManager[] {TlsMaterial.namedTrust(TlsFiles.certificates(endpoint.authority()))},
                    null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("this JVM has no TLS", e);
        }
    }

    private static String words(HttpsURLConnection connection) throws IOException {
        try (InputStream answer = connection.getErrorStream()) {
            return answer == null
                    ? ""
                    : ": " + new String(answer.readNBytes(MOST_WORDS), StandardCharsets.UTF_8).strip();
        }
    }
}
