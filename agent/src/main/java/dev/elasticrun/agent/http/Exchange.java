/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Stream;

/** One request and its answer. Owned by the thread that answers it. */
public final class Exchange {
    public static final int OK = 200;
    static final int BAD_REQUEST = 400;
    static final int UNAUTHORIZED = 401;
    static final int FORBIDDEN = 403;
    public static final int NOT_FOUND = 404;
    public static final int METHOD_NOT_ALLOWED = 405;
    static final int TOO_LARGE = 413;
    static final int BUSY = 503;

    private static final int MAX_BODY = 1 << 16;

    private final HttpExchange exchange;
    private final Patience patience;
    private boolean begun;

    Exchange(HttpExchange exchange, Patience patience) {
        this.exchange = exchange;
        this.patience = patience;
    }

    public String method() {
        return exchange.getRequestMethod();
    }

    public String path() {
        return exchange.getRequestURI().getPath();
    }

    /** Whether something is only asked for. */
    public boolean reads() {
        return method().equals("GET") || method().equals("HEAD");
    }

    /** What the address has for a name behind its question mark; empty when it has nothing, or it is malformed. */
    public Optional<String> parameter(String name) {
        String query = exchange.getRequestURI().getRawQuery();
        return query == null
                ? Optional.empty()
                : Stream.of(query.split("&"))
                        .filter(part -> part.startsWith(name + "="))
                        .map(part -> decoded(part.substring(name.length() + 1)))
                        .findFirst();
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            return "";
        }
    }

    public Optional<String> header(String name) {
        return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name));
    }

    /** The caller's address, for display. */
    String caller() {
        return exchange.getRemoteAddress().getAddress().getHostAddress();
    }

    /** The whole body; empty when it is larger than any request of ours. */
    Optional<byte[]> body() throws IOException {
        try (InputStream in = exchange.getRequestBody()) {
            byte[] body = in.readNBytes(MAX_BODY + 1);
            return body.length > MAX_BODY ? Optional.empty() : Optional.of(body);
        } catch (IndexOutOfBoundsException e) {
            throw malformed(e);
        }
    }

    public void setHeader(String name, String value) {
        Headers headers = exchange.getResponseHeaders();
        headers.set(name, value);
    }

    /** Answers with these bytes, or without them when only their headers were asked for. */
    public void answer(int status, String type, byte[] body) throws IOException {
        begun = true;
        setHeader("Content-Type", type);
        try {
            patience.limited(() -> write(status, body));
        } catch (IndexOutOfBoundsException e) {
            throw malformed(e);
        }
    }

    private void write(int status, byte[] body) throws IOException {
        if (method().equals("HEAD")) {
            exchange.sendResponseHeaders(status, -1);
            return;
        }
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    /** The server skips the rest of the request after the answer, and trusts the lengths of its chunks. */
    private static IOException malformed(IndexOutOfBoundsException e) {
        return new IOException("the body of the request is malformed", e);
    }

    public void answerText(int status, String text) throws IOException {
        answer(status, "text/plain; charset=utf-8", (text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    void answerJson(int status, byte[] json) throws IOException {
        answer(status, "application/json", json);
    }

    /** Begins an answer whose length is not known; the caller closes the stream. */
    public OutputStream stream(String type) throws IOException {
        begun = true;
        setHeader("Content-Type", type);
        patience.limited(() -> exchange.sendResponseHeaders(OK, 0));
        return patience.limited(exchange.getResponseBody());
    }

    boolean begun() {
        return begun;
    }

    void end() throws IOException {
        try {
            exchange.close();
        } catch (IndexOutOfBoundsException e) {
            throw malformed(e);
        }
    }
}
