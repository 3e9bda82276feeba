/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.elasticrun.agent.incident.RunEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The trace of a real run of three nodes, in which a worker was killed, then an agent, and one was stopped for a while.
 * What a viewer needs is that of the trace event format: the fields of each phase, and spans of a thread that lie behind
 * each other or in each other.
 */
final class TraceJsonTest {
    private static final Path EVENTS = Path.of("src/test/resources/dev/elasticrun/cli/three-nodes.jsonl");

    private JsonNode trace;

    @BeforeEach
    void read() throws IOException {
        List<RunEvent> events = EventFiles.parse(Files.readString(EVENTS, StandardCharsets.UTF_8));
        trace = new ObjectMapper().readTree(TraceJson.of("see1", events));
    }

    @Test
    void events_all_haveTheFieldsOfTheirPhase() {
        assertThat(trace.path("traceEvents")).isNotEmpty().allSatisfy(event -> {
            assertThat(event.path("name").asText()).isNotEmpty();
            assertThat(event.path("pid").isInt()).isTrue();
            assertThat(event.path("tid").isInt()).isTrue();
            assertThat(event.path("ts").isIntegralNumber()).isTrue();
            assertThat(event.path("ts").asLong()).isNotNegative();
            switch (event.path("ph").asText()) {
                case "X" -> assertThat(event.path("dur").asLong(-1)).isNotNegative();
                case "i" -> assertThat(event.path("s").asText()).isIn("g", "p", "t");
                case "M" -> assertThat(event.path("args").path("name").asText()).isNotEmpty();
                default -> throw new AssertionError("phase: " + event.path("ph"));
            }
        });
    }

    @Test
    void spans_ofAThread_comeOneAfterTheOther() {
        Map<String, Long> ends = new HashMap<>();
        for (JsonNode span : spans()) {
            String thread = span.path("pid") + "/" + span.path("tid");
            long begin = span.path("ts").asLong();
            assertThat(begin).as("%s", span).isGreaterThanOrEqualTo(ends.getOrDefault(thread, 0L));
            ends.put(thread, begin + span.path("dur").asLong());
        }
    }

    @Test
    void threads_areNamed_aProcessForEachNodeAndAThreadForEachWorker() {
        Set<String> named = new HashSet<>();
        trace.path("traceEvents").forEach(event -> {
            if (event.path("ph").asText().equals("M")) {
                named.add(event.path("pid") + "/" + event.path("tid"));
            }
        });
        assertThat(spans()).allSatisfy(span -> assertThat(named)
                .contains(span.path("pid") + "/" + span.path("tid"))
                .contains(span.path("pid") + "/0"));
        assertThat(names("M")).contains("process_name", "thread_name");
        assertThat(trace.findValuesAsText("name")).contains("run see1", "rounds", "incidents", "local rank 0", "agent");
    }

    @Test
    void spans_tellWhatWorkersDid() {
        assertThat(names("X")).contains("starting", "ready", "joining", "working", "paused", "round 1");
        assertThat(names("X")).anyMatch(name -> name.startsWith("incident 2: worker failed on "));
        assertThat(names("i")).contains("exit code 137", "node.proved_dead", "node.fenced");
    }

    private List<JsonNode> spans() {
        List<JsonNode> spans = new ArrayList<>();
        trace.path("traceEvents").forEach(event -> {
            if (event.path("ph").asText().equals("X")) {
                spans.add(event);
            }
        });
        return spans;
    }

    private Set<String> names(String phase) {
        Set<String> names = new HashSet<>();
        trace.path("traceEvents").forEach(event -> {
            if (event.path("ph").asText().equals(phase)) {
                names.add(event.path("name").asText());
            }
        });
        return names;
    }
}
