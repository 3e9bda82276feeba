/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.runs;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs as JSON: names of fields stay as they are, new ones may come. Pure. */
public final class RunListJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private RunListJson() {}

    public static String list(List<RunSummary> runs) {
        ObjectNode json = JSON.createObjectNode();
        ArrayNode array = json.putArray("runs");
        runs.forEach(run -> array.add(run(run)));
        return json.toPrettyString() + System.lineSeparator();
    }

    private static ObjectNode run(RunSummary run) {
        RunSummary.Span span = run.span();
        RunSummary.Work work = run.work();
        boolean hasEnd = span.exitCode() >= 0;
        ObjectNode json = JSON.createObjectNode()
                .put("run", run.run())
                .put("state", run.state().text())
                .put("policy", run.policy().isEmpty() ? null : run.policy())
                .put("started", text(span.began()))
                .put("last_event", text(span.last()))
                .put("round", work.round())
                .put("world_size", work.worldSize())
                .put("step", work.step())
                .put("total", work.total())
                .put("failures", work.failures())
                .put("exit_code", hasEnd ? (Integer) span.exitCode() : null)
                .put("reason", hasEnd ? span.reason() : null)
                .put("logs", run.logs().map(Path::toString).orElse(null));
        run.nodes().forEach(json.putArray("nodes")::add);
        return json;
    }

    private static @Nullable String text(Optional<Instant> time) {
        return time.map(Instant::toString).orElse(null);
    }
}
