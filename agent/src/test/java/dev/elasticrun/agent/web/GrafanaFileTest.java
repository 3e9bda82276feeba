/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.elasticrun.agent.metrics.GrafanaFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That Grafana can load the file, and that its queries name what an agent reports. */
final class GrafanaFileTest {
    private static final Pattern METRIC = Pattern.compile("(elasticrun_[a-z_]+)(?:\\{([^}]*)})?");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=~?\"([^\"]*)\"");
    private static final Pattern GROUPED = Pattern.compile("by \\(([^)]*)\\)");

    @TempDir
    private Path directory;

    private GrafanaFile file;
    private Map<String, Set<String>> labels;

    @BeforeEach
    void scrape() throws IOException {
        file = GrafanaFile.read();
        labels = new MetricsFixture(directory).labels();
        assertThat(labels).hasSizeGreaterThan(15);
    }

    @Test
    void file_hasWhatALoadableDashboardNeeds() {
        JsonNode board = file.json();

        assertThat(board.path("title").asText()).isEqualTo("elastic-run");
        assertThat(board.path("uid").asText()).matches("[a-zA-Z0-9-]{1,40}");
        assertThat(board.path("schemaVersion").asInt()).isGreaterThanOrEqualTo(30);
        assertThat(board.path("id").isNull()).isTrue();
        Set<Integer> ids = new HashSet<>();
        Set<String> taken = new HashSet<>();
        for (JsonNode panel : board.path("panels")) {
            String title = panel.path("title").asText();
            assertThat(ids.add(panel.path("id").asInt())).as(title).isTrue();
            assertThat(panel.path("type").asText()).isIn("stat", "gauge", "bargauge", "timeseries");
            assertThat(panel.path("description").asText()).as(title).isNotBlank();
            assertThat(panel.path("targets")).as(title).isNotEmpty();
            JsonNode place = panel.path("gridPos");
            assertThat(place.path("x").asInt() + place.path("w").asInt())
                    .as(title)
                    .isBetween(1, 24);
            for (int x = 0; x < place.path("w").asInt(); x++) {
                for (int y = 0; y < place.path("h").asInt(); y++) {
                    String cell = (place.path("x").asInt() + x) + "/"
                            + (place.path("y").asInt() + y);
                    assertThat(taken.add(cell))
                            .as("%s lies over another panel at %s", title, cell)
                            .isTrue();
                }
            }
            for (JsonNode target : panel.path("targets")) {
                assertThat(target.path("refId").asText()).as(title).matches("[A-Z]");
                assertThat(target.at("/datasource/uid").asText()).as(title).isEqualTo("${datasource}");
            }
        }
        assertThat(ids).hasSizeGreaterThan(10);
    }

    @Test
    void queries_nameMetricsAndLabelsThatThereAre() {
        for (String query : file.queries()) {
            Matcher metric = METRIC.matcher(query);
            Set<String> known = new TreeSet<>(Set.of("le"));
            while (metric.find()) {
                assertThat(labels).as(query).containsKey(metric.group(1));
                known.addAll(labels.get(metric.group(1)));
                assertThat(labels.get(metric.group(1))).as(query).containsAll(names(metric.group(2)));
                assertThat(metric.group(2)).as("%s: of one run only", query).contains("run=\"$run\"");
            }
            assertThat(known).as(query).contains("run");
            Matcher grouped = GROUPED.matcher(query);
            while (grouped.find()) {
                assertThat(known).as(query).containsAll(List.of(grouped.group(1).split(", ")));
            }
        }
    }

    @Test
    void queries_showEveryMetric() {
        String all = String.join("\n", file.queries());

        assertThat(labels.keySet().stream()
                        .map(name -> name.replaceAll("_(bucket|sum|count)$", ""))
                        .toList())
                .allSatisfy(name -> assertThat(all).contains(name));
    }

    private static Set<String> names(String text) {
        Set<String> names = new TreeSet<>();
        Matcher label = LABEL.matcher(text == null ? "" : text);
        while (label.find()) {
            names.add(label.group(1));
        }
        return names;
    }
}
