/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The page about a run, and what it asks for. Whoever reaches the port may read the run's state; logs and commands need
 * the run's key.
 */
public final class Page implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<String, Boolean> STREAMS = Map.of("stdout", false, "stderr", true);

    private final PageSource source;
    private final KeyGate gate;
    private final LiveRoute live;

    public Page(PageSource source, KeyGate gate) {
        this.source = source;
        this.gate = gate;
        this.live = new LiveRoute(source);
    }

    /** Serves the page at the root of the listener. */
    public void on(HttpListener listener) {
        listener.serve("/", new StaticFiles());
        listener.serve("/api/live", live);
        listener.serve(
                "/api/run", exchange -> exchange.answerJson(Exchange.OK, JSON.writeValueAsBytes(source.picture())));
        listener.serve(
                "/api/challenge",
                exchange -> exchange.answerJson(
                        Exchange.OK, JSON.writeValueAsBytes(Map.of("challenge", gate.challenge()))));
        listener.serve("/api/key", new ProvenRoute(gate, source, request -> Map.of("good", true)));
        listener.serve("/api/log", new ProvenRoute(gate, source, this::log));
        listener.serve("/api/command", new ProvenRoute(gate, source, this::command));
    }

    /** A worker that has just gone, or whose agent does not answer, is no mistake of the one who asks. */
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
