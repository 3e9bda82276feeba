/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The dashboard for Grafana, from the docs. */
public record GrafanaFile(JsonNode json) {
    private static final String FILE = "docs/grafana/elastic-run.json";

    /** Tests run in a module's directory, or in the root's from an IDE. */
    public static GrafanaFile read() throws IOException {
        Path here = Path.of("").toAbsolutePath();
        Path root = Files.exists(here.resolve(FILE)) ? here : here.resolve("..");
        return new GrafanaFile(new ObjectMapper().readTree(root.resolve(FILE).toFile()));
    }

    /** All queries, as they are written. */
    public List<String> queries() {
        List<String> queries = new ArrayList<>();
        json.path("panels").forEach(panel -> panel.path("targets")
                .forEach(target -> queries.add(target.path("expr").asText())));
        json.at("/annotations/list")
                .forEach(annotation -> queries.add(annotation.path("expr").asText()));
        return queries;
    }

    /**
     * All queries, as Grafana would send them.
     *
     * @param range of time, as 5m
     */
    public List<String> queries(String run, String range) {
        return queries().stream()
                .map(query -> query.replace("$run", run)
                        .replace("$__rate_interval", range)
                        .replace("$__range", range))
                .toList();
    }
}
