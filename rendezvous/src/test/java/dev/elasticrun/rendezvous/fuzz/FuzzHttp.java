/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Random;

/** Requests of HTTP/1.1 and connections of HTTP/2 that are wrong in one place or another. */
public final class FuzzHttp {
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1);
    private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
    private static final int MAX_FRAMES = 12;
    private static final int MAX_PAYLOAD = 64;
    private static final int TYPES = 11;
    private static final List<String> METHODS =
            List.of("GET", "HEAD", "POST", "OPTIONS", "get", "G ET", "", "\0", "PRI");
    private static final List<String> VERSIONS = List.of("HTTP/1.1", "HTTP/1.0", "HTTP/9.9", "HTTP/", "", "FTP/1.1");
    private static final List<String> TAILS = List.of(
            "", "?", "?key=%zz", "/%", "/%00", "/../../etc/passwd", "/%c0%ae%c0%ae/", "#x", "\u00ff", " ", "//");
    private static final List<String> HEADERS = List.of(
            "Host: localhost\r\n",
            "Host: \r\n",
            "Host: [::\r\n",
            "Host: localhost:99999999999\r\n",
            "Origin: http://%\r\n",
            "Content-Length: -1\r\n",
            "Content-Length: 99999999999999999999\r\n",
            "Content-Length: 5\r\nContent-Length: 6\r\n",
            "Transfer-Encoding: chunked\r\n",
            "Expect: 100-continue\r\n",
            "Connection: \u0000\r\n",
            ": nothing\r\n",
            "no colon\r\n",
            " folded\r\n",
            "Accept-Encoding: gzip;q=x\r\n",
            "Accept: */*;;;q=\r\n",
            "Range: bytes=9-1\r\n",
            "Authorization: Bearer \u00fe\r\n",
            "Cookie: a=b; ;=\r\n");

    private FuzzHttp() {}

    /** Requests to these paths and below. */
    public static FuzzSource requests(List<String> paths) {
        return random ->
                random.nextInt(4) == 0 ? FuzzBytes.mutated(request(paths, random), random) : request(paths, random);
    }

    /** Frames after a greeting that is right, mostly: of any type and flags, with other lengths than they have. */
    public static byte[] frames(Random random) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(PREFACE);
        all.writeBytes(random.nextInt(8) == 0 ? frame(random) : SETTINGS);
        for (int i = 1 + random.nextInt(MAX_FRAMES); i > 0; i--) {
            all.writeBytes(frame(random));
        }
        return all.toByteArray();
    }

    private static byte[] frame(Random random) {
        byte[] payload = FuzzBytes.noise(random.nextInt(MAX_PAYLOAD), random);
        int length = random.nextInt(3) == 0 ? FuzzBytes.limit(random) : payload.length;
        int stream = random.nextInt(3) == 0 ? FuzzBytes.limit(random) : random.nextInt(6);
        byte[] head = {
            (byte) (length >> 16),
            (byte) (length >> 8),
            (byte) length,
            (byte) random.nextInt(TYPES),
            (byte) random.nextInt(256),
            (byte) (stream >> 24),
            (byte) (stream >> 16),
            (byte) (stream >> 8),
            (byte) stream
        };
        return FuzzBytes.joined(head, payload);
    }

    private static byte[] request(List<String> paths, Random random) {
        StringBuilder text = new StringBuilder();
        text.append(random.nextBoolean() ? "GET" : any(METHODS, random)).append(' ');
        text.append(any(paths, random)).append(any(TAILS, random)).append(stretch(random));
        text.append(' ').append(random.nextBoolean() ? "HTTP/1.1" : any(VERSIONS, random));
        text.append(random.nextInt(8) == 0 ? "\n" : "\r\n");
        text.append(random.nextInt(4) == 0 ? "" : "Host: localhost\r\n");
        for (int i = random.nextInt(5); i > 0; i--) {
            text.append(any(HEADERS, random));
        }
        if (random.nextInt(50) == 0) {
            text.append("X: y\r\n".repeat(1 << random.nextInt(13)));
        }
        if (random.nextInt(6) > 0) {
            text.append("\r\n");
        }
        if (random.nextInt(4) == 0) {
            text.append(Integer.toHexString(FuzzBytes.limit(random))).append("\r\nbody\r\n0\r\n\r\n");
        }
        return text.toString().getBytes(ISO_8859_1);
    }

    /** Now and then so much that a line is longer than servers take. */
    private static String stretch(Random random) {
        return random.nextInt(50) == 0 ? "a".repeat(1 << random.nextInt(18)) : "";
    }

    private static String any(List<String> values, Random random) {
        return values.get(random.nextInt(values.size()));
    }
}
