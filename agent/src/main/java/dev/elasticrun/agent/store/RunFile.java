/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.store;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.elasticrun.agent.directory.SmallFile;
import dev.elasticrun.agent.launch.Endpoint;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.worker.contract.TlsFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an agent publishes to the commands of its user on its host: {@code run.json} in its run directory, beside the
 * key.
 *
 * @param control address of the agent's control service, HOST:PORT
 * @param logs directory of the run's logs on this host; empty = not known
 * @param tls directory of its callers' client certificate and trusted CAs; null = it is in plain text
 */
public record RunFile(
        String run,
        String incarnation,
        String node,
        List<String> endpoints,
        String control,
        String logs,
        Served served,
        @Nullable Path tls) {

    private static final int MOST_BYTES = 1 << 20;

    /**
     * What the agent serves over HTTP.
     *
     * @param dashboard where the page about the run is, a URL; empty = there is none
     * @param metrics where metrics are scraped, a URL; empty = nowhere
     */
    public record Served(String dashboard, String metrics) {
        public static final Served NOTHING = new Served("", "");
    }

    public RunFile {
        endpoints = List.copyOf(endpoints);
    }

    /**
     * What calls of the agent are encrypted by; empty = they are not.
     *
     * @throws UncheckedIOException when the files cannot be read: the agent has ended, or is another user's
     */
    public Optional<RunTls> encryption() {
        if (tls == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(RunTls.given(TlsFiles.in(tls).read()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot call node " + node + " of run " + run, e);
        }
    }

    /** Whether a store of the run is at that port: a host can be named in several ways. */
    boolean hasStoreAt(int port) {
        return endpoints.stream()
                .flatMap(text -> Endpoint.parse(text).stream())
                .anyMatch(endpoint -> endpoint.port() == port);
    }

    public byte[] encode() {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode json = mapper.createObjectNode();
        json.put("run", run);
        json.put("incarnation", incarnation);
        json.put("node", node);
        json.put("control", control);
        json.put("logs", logs);
        json.put("dashboard", served.dashboard());
        json.put("metrics", served.metrics());
        if (tls != null) {
            json.put("tls", tls.toString());
        }
        endpoints.forEach(json.putArray("endpoints")::add);
        try {
            return mapper.writeValueAsBytes(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write " + this, e);
        }
    }

    /** The file of a run directory; empty when it is not there (yet, or any more). */
    public static Optional<RunFile> read(Path directory) throws IOException {
        return decode(directory.resolve("run.json"));
    }

    /** A file that {@link #encode} made, wherever it is; empty when it is not there (yet, or any more). */
    static Optional<RunFile> decode(Path file) throws IOException {
        byte[] content;
        try {
            content = SmallFile.read(file, MOST_BYTES);
        } catch (NoSuchFileException notYet) {
            return Optional.empty();
        }
        Map<String, String> texts = new HashMap<>();
        List<String> endpoints = new ArrayList<>();
        // Not as a tree: commands begin with this, and wait for all that they load.
        try (JsonParser json = new JsonFactory().createParser(content)) {
            json.nextToken();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                if (json.nextToken() == JsonToken.START_ARRAY) {
                    while (json.nextToken() != JsonToken.END_ARRAY) {
                        endpoints.add(json.getText());
                    }
                } else if (json.currentToken().isScalarValue()) {
                    texts.put(name, json.getText());
                } else {
                    // Of a later version.
                    json.skipChildren();
                }
            }
        }
        String tls = texts.get("tls");
        return Optional.of(new RunFile(
                texts.getOrDefault("run", ""),
                texts.getOrDefault("incarnation", ""),
                texts.getOrDefault("node", ""),
                endpoints,
                texts.getOrDefault("control", ""),
                texts.getOrDefault("logs", ""),
                new Served(texts.getOrDefault("dashboard", ""), texts.getOrDefault("metrics", "")),
                tls == null ? null : Path.of(tls)));
    }
}
