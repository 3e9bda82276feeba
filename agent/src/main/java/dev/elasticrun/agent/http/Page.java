/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The page about a run, and what it asks for. Every caller that reaches the port may read the run's state; logs and
 * commands need the run's key: they are POST of a small JSON object, with a proof in its headers.
 */
public final class Page implements AutoCloseable {
    static final String CHALLENGE = "Elastic-Run-Challenge";
    static final String PROOF = "Elastic-Run-Proof";

    private static final ObjectMapper JSON = RunPicture.JSON;
    private static final Map<String, Boolean> STREAMS = Map.of("stdout", false, "stderr", true);

    private final PageSource source;
    private final KeyGate gate;
    private final LiveRoute live;

    // A request of a caller that knows the run's key.
    @FunctionalInterface
    private interface Request {
        /**
         * @return what becomes the JSON of the answer
         * @throws IllegalArgumentException that states what was expected
         */
        Object answer(JsonNode body) throws IOException;
    }

    public Page(PageSource source, KeyGate gate) {
        this.source = source;
        this.gate = gate;
        this.live = new LiveRoute(source);
    }

    /** Serves the page at the root of the listener. */
    public void on(HttpListener listener) {
        // A link on another site leads here; the files contain nothing about the run.
        listener.serve(
                "/",
                HttpListener.Access.ANY_SITE,
                exchange -> PageFiles.answer(exchange, exchange.path().substring(1)));
        listener.serve("/api/live", live);
        listener.serve(
                "/api/run", exchange -> exchange.answerJson(Exchange.OK, JSON.writeValueAsBytes(source.picture())));
        listener.serve(
                "/api/curves", exchange -> exchange.answerJson(Exchange.OK, JSON.writeValueAsBytes(source.curves())));
        listener.serve(
                "/api/challenge",
                exchange -> exchange.answerJson(
                        Exchange.OK, JSON.writeValueAsBytes(Map.of("challenge", gate.challenge()))));
        listener.serve("/api/key", exchange -> proven(exchange, body -> Map.of("good", true)));
        listener.serve("/api/log", exchange -> proven(exchange, this::log));
        listener.serve("/api/command", exchange -> proven(exchange, this::command));
    }

    private void proven(Exchange exchange, Request request) throws IOException {
        if (!exchange.method().equals("POST")) {
            exchange.answerText(Exchange.METHOD_NOT_ALLOWED, exchange.method() + " (expected: POST)");
            return;
        }
        Optional<byte[]> body = exchange.body();
        if (body.isEmpty()) {
            exchange.answerText(Exchange.TOO_LARGE, "the request is too large");
            return;
        }
        boolean knowsKey = gate.passes(
                exchange.header(CHALLENGE).orElse(""),
                exchange.header(PROOF).orElse(""),
                exchange.method(),
                exchange.path(),
                body.get());
        if (!knowsKey) {
            source.refused(exchange.path(), exchange.caller());
            exchange.answerText(Exchange.UNAUTHORIZED, "the caller does not know the key of this run");
            return;
        }
        Object answer;
        try {
            answer = request.answer(JSON.readTree(body.get()));
        } catch (IllegalArgumentException | IOException e) {
            exchange.answerJson(
                    Exchange.BAD_REQUEST, JSON.writeValueAsBytes(Map.of("error", String.valueOf(e.getMessage()))));
            return;
        }
        exchange.answerJson(Exchange.OK, JSON.writeValueAsBytes(answer));
    }

    // A worker that has just ended, or whose agent does not answer, is no mistake of the caller.
    private Object log(JsonNode request) {
        Boolean stderr = STREAMS.get(request.path("stream").asText());
        if (stderr == null) {
            throw new IllegalArgumentException("stream: " + request.path("stream") + " (expected: stdout or stderr)");
        }
        int rank = request.path("rank").asInt(-1);
        String missing = "rank " + rank + " has no worker now";
        try {
            Optional<PageSource.LogText> text = source.log(rank, stderr);
            if (text.isPresent()) {
                return text.get();
            }
        } catch (IllegalArgumentException | IOException e) {
            missing = "the log of rank " + rank + " cannot be read: " + e.getMessage();
        }
        return Map.of("missing", missing);
    }

    private Object command(JsonNode request) {
        Map<String, String> arguments = new TreeMap<>();
        request.path("arguments")
                .properties()
                .forEach(entry -> arguments.put(entry.getKey(), entry.getValue().asText()));
        return source.command(request.path("command").asText(), arguments);
    }

    /** Ends what is live. */
    @Override
    public void close() {
        live.close();
    }
}
