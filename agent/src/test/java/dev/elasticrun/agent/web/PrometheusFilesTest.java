/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** That the files for Prometheus can be read, and name what an agent exports. */
final class PrometheusFilesTest {
    private static final Path FILES = Path.of("../docs/prometheus");
    private static final Pattern METRIC = Pattern.compile("elasticrun_[a-z_]+");
    private static final Pattern USED = Pattern.compile("\\$labels\\.([a-z_]+)");

    @TempDir
    private Path directory;

    @Test
    void alerts_nameMetricsThatThereAre_andTheRun() throws IOException {
        Map<String, Set<String>> labels = new MetricsFixture(directory).labels();
        List<Map<String, Object>> rules = rules();

        assertThat(rules).hasSizeGreaterThan(5).allSatisfy(rule -> {
            String expression = text(rule, "expr");
            Matcher metric = METRIC.matcher(expression);
            Set<String> known = new TreeSet<>();
            while (metric.find()) {
                assertThat(labels).as(expression).containsKey(metric.group());
                known.addAll(labels.get(metric.group()));
            }
            assertThat(known).as(expression).isNotEmpty();
            String annotations = String.valueOf(rule.get("annotations"));
            assertThat(annotations).contains("summary=", "description=", "$labels.run");
            Matcher used = USED.matcher(annotations);
            while (used.find()) {
                assertThat(known).as(expression).contains(used.group(1));
                assertThat(expression.contains("by (run)") && !used.group(1).equals("run"))
                        .as("%s: %s is not in the result", expression, used.group(1))
                        .isFalse();
            }
            assertThat(String.valueOf(rule.get("labels"))).matches("\\{severity=(warning|critical)}");
        });
        assertThat(rules).extracting(rule -> text(rule, "alert")).doesNotHaveDuplicates();
    }

    @Test
    void monitors_scrapeTheAgentsOfJobs_whereTheServiceHasItsPort() throws IOException {
        List<Object> documents = read("servicemonitor.yaml");
        documents.addAll(read("podmonitor.yaml"));

        assertThat(documents)
                .extracting(one -> at(one, "kind"))
                .containsExactly("Service", "ServiceMonitor", "NetworkPolicy", "PodMonitor");
        Object agents = Map.of("app.kubernetes.io/name", "elastic-run", "app.kubernetes.io/component", "agent");
        Object service = documents.get(0);
        assertThat(at(service, "spec", "selector")).isEqualTo(agents);
        assertThat(at(documents.get(1), "spec", "selector", "matchLabels"))
                .isEqualTo(at(service, "metadata", "labels"));
        assertThat(at(documents.get(2), "spec", "podSelector", "matchLabels")).isEqualTo(agents);
        assertThat(at(documents.get(3), "spec", "selector", "matchLabels")).isEqualTo(agents);
        assertThat(String.valueOf(at(documents.get(1), "spec", "endpoints"))).contains("port=metrics", "path=/metrics");
        assertThat(String.valueOf(at(service, "spec", "ports"))).contains("name=metrics", "port=9100");
        assertThat(String.valueOf(at(documents.get(3), "spec", "podMetricsEndpoints")))
                .contains("path=/metrics", ":9100");
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> rules() throws IOException {
        List<Map<String, Object>> rules = new ArrayList<>();
        for (Object group : (List<Object>) at(read("alerts.yaml").get(0), "groups")) {
            rules.addAll((List<Map<String, Object>>) at(group, "rules"));
        }
        return rules;
    }

    private static String text(Map<String, Object> rule, String name) {
        return String.valueOf(rule.get(name));
    }

    private static Object at(Object document, String... path) {
        Object found = document;
        for (String name : path) {
            found = Objects.requireNonNull(((Map<?, ?>) found).get(name), name);
        }
        return found;
    }

    private static List<Object> read(String name) throws IOException {
        List<Object> documents = new ArrayList<>();
        try (Reader file = Files.newBufferedReader(FILES.resolve(name))) {
            new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(file).forEach(documents::add);
        }
        return documents;
    }
}
