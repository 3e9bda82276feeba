/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaId;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion;
import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.agent.schema.SchemaFile;
import dev.elasticrun.agent.store.RunFile;
import dev.elasticrun.cli.view.StatusJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** All that is printed as JSON has a schema. Tests of whole runs compare it with what is printed. */
@Tag("once")
final class JsonSchemasTest {
    private static final Path SCHEMAS = Path.of("../docs/schema");

    /** By command. That of an event is also that of the files of agents. */
    private static final Map<String, List<String>> OF_COMMANDS = Map.ofEntries(
            Map.entry("status", List.of("status.json", "runs.json", "run-list.json", "job.json")),
            Map.entry("list", List.of("jobs.json", "run-list.json")),
            Map.entry("events", List.of("event.json")),
            Map.entry("explain", List.of("explain.json")),
            Map.entry("replay", List.of("replay.json")),
            Map.entry("dump", List.of("dump.json")),
            Map.entry("profile", List.of("profile.json")),
            Map.entry("drain", List.of("command.json")),
            Map.entry("scale", List.of("command.json")),
            Map.entry("stop", List.of("command.json")),
            Map.entry("restart", List.of("command.json")),
            Map.entry("doctor", List.of("doctor.json")));

    /** Files, and not what is printed: of chaos, and of studies. */
    private static final Set<String> OF_FILES = Set.of("chaos.json", "study.json");

    @Test
    void commands_thatPrintJson_haveSchemas() {
        Set<String> printing = Commands.all().stream()
                .filter(command -> {
                    Set<String> options =
                            command.model().get().getCommandSpec().optionsMap().keySet();
                    return options.contains("--json") || options.contains("--format");
                })
                .map(Subcommand::name)
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(OF_COMMANDS.keySet()).isEqualTo(printing);
    }

    @Test
    void schemas_areAllOfACommand_orOfAFile() throws IOException {
        Set<String> known = OF_COMMANDS.values().stream().flatMap(List::stream).collect(Collectors.toSet());
        known.addAll(OF_FILES);

        try (Stream<Path> files = Files.list(SCHEMAS)) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactlyInAnyOrderElementsOf(known);
        }
    }

    @Test
    void schemas_areSchemasOfTheirDraft() throws IOException {
        JsonSchema draft = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(SchemaLocation.of(SchemaId.V202012));
        try (Stream<Path> files = Files.list(SCHEMAS)) {
            for (Path file : files.toList()) {
                JsonNode schema = new ObjectMapper().readTree(file.toFile());
                assertThat(schema.path("$id").asText()).endsWith("/" + file.getFileName());
                assertThat(draft.validate(schema)).as(file.toString()).isEmpty();
            }
        }
    }

    @Test
    void runs_ofTheHost_areDescribed() {
        RunFile file = new RunFile("r", "i", "n", List.of(), "127.0.0.1:1", "", RunFile.Served.NOTHING, null);

        SchemaFile.of("runs.json").assertDescribes(StatusJson.runs(List.of(new LocalRuns.LocalRun(file, new byte[1]))));
    }
}
