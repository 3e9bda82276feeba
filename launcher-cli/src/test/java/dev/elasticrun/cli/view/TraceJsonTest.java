/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.incident.Incidents;
import dev.elasticrun.agent.trace.TraceFile;
import dev.elasticrun.cli.command.TraceOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The trace of a real run of three nodes, in which a worker was killed, then an agent, and one was stopped for a while. */
final class TraceJsonTest {
    private static final Path EVENTS = Path.of("src/test/resources/dev/elasticrun/cli/three-nodes.jsonl");

    private TraceFile trace;

    @BeforeEach
    void read() throws IOException {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        List<LoggedEvent> events = LoggedEvent.parseAll(Files.readString(EVENTS, StandardCharsets.UTF_8));
        TraceOutput.write("see1", events, Incidents.of(events), written);
        trace = TraceFile.of(written.toString(StandardCharsets.UTF_8));
    }

    @Test
    void file_all_isInTheFormatAndCanBeDrawn() {
        assertThat(trace.problems()).isEmpty();
    }

    @Test
    void tracks_areNamed_aProcessForEachNodeAndAThreadForEachWorker() {
        assertThat(trace.trackNames()).startsWith("run see1/rounds", "run see1/incidents");
        assertThat(trace.trackNames())
                .filteredOn(name -> name.contains("/agent"))
                .hasSize(3);
        assertThat(trace.trackNames()).filteredOn(name -> name.contains("rank")).hasSize(6);
    }

    @Test
    void spans_reportWhatWorkersDid() {
        assertThat(trace.names("X")).contains("starting", "ready", "joining", "working", "paused", "round 1");
        assertThat(trace.names("X")).anyMatch(name -> name.startsWith("incident 2: worker failed on "));
        assertThat(trace.names("i")).contains("exit code 137", "node.proved_dead", "node.fenced");
    }

    @Test
    void incident_thatIsAnswered_hasItsPhases() {
        assertThat(trace.spansIn("incident 2: "))
                .containsExactly("detected", "sealed", "work published", "working again");
    }
}
