/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.RemoteRuns;
import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.schema.SchemaFile;
import dev.elasticrun.cli.GoldenFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunListTest {
    private static final String EVENT =
            "{\"schema\":2,\"run\":\"r\",\"incarnation\":\"0011\",\"node\":\"%s\",\"round\":%d,\"incident\":null,\"nanos\":%d,"
                    + "\"time\":\"2026-03-01T10:00:%02dZ\",\"kind\":\"%s\"%s}%n";

    @TempDir
    private Path logs;

    @Test
    void runOfThreeNodes_isSummarized() throws IOException {
        SummaryBuilder builder = new SummaryBuilder();
        try (InputStream events = GoldenFile.class.getResourceAsStream("three-nodes.jsonl")) {
            LoggedEvent.parseAll(new String(events.readAllBytes(), StandardCharsets.UTF_8)).stream()
                    .sorted(Comparator.comparing(LoggedEvent::time))
                    .forEach(builder);
        }
        RunSummary run = builder.build("job", Optional.of(Path.of("/logs/job")), false);
        RunSummary live = new SummaryBuilder().build("next", Optional.empty(), true);

        GoldenFile.assertSame(
                "run-list.txt",
                RunListText.list(List.of(live, run), Instant.EPOCH, ZoneOffset.UTC)
                        + "\n"
                        + RunListText.ended(run, ZoneOffset.UTC));
        GoldenFile.assertSame("run-list.json", RunListJson.list(List.of(live, run)));
        SchemaFile.of("run-list.json").assertDescribes(RunListJson.list(List.of(live, run)));
    }

    @Test
    void endedRuns_areFoundByTheirFiles_theNewestFirst() throws IOException {
        write("old", "a", EVENT.formatted("a", 1, 1, 1, "run.joined", JOINED));
        write(
                "new",
                "a",
                EVENT.formatted("a", 1, 1, 5, "run.joined", JOINED)
                        + EVENT.formatted("a", 1, 2, 9, "run.ended", ENDED));
        Files.createDirectories(logs.resolve("no run/at all"));

        List<RunSummary> runs = HostRuns.all(logs).stream()
                .filter(run -> run.logs().isPresent() && run.logs().get().startsWith(logs))
                .toList();

        assertThat(runs).extracting(RunSummary::run).containsExactly("new", "old");
        assertThat(runs).extracting(RunSummary::state).containsExactly(RunSummary.State.FAILED, RunSummary.State.LEFT);
        assertThat(runs.get(0).span().exitCode()).isEqualTo(4);
        assertThat(runs.get(0).policy()).isEqualTo("soft");
    }

    @Test
    void noLogDirectory_noRuns() {
        assertThat(HostRuns.all(logs.resolve("none"))).allMatch(run -> run.state() == RunSummary.State.RUNNING);
    }

    @Test
    void runsOfAStore_haveTheStateOfTheirVerdictAndNodes() {
        assertThat(StoreRuns.summary(stored(List.of("a", "b"), Optional.empty())))
                .satisfies(run -> assertThat(run.state()).isEqualTo(RunSummary.State.RUNNING))
                .satisfies(run -> assertThat(run.nodes()).isEqualTo(new TreeSet<>(List.of("a", "b"))));
        assertThat(StoreRuns.summary(stored(List.of(), Optional.empty())).state())
                .isEqualTo(RunSummary.State.LEFT);
        assertThat(StoreRuns.summary(stored(List.of(), Optional.of(new RemoteRuns.ListedEnd(true, 0, "done"))))
                        .state())
                .isEqualTo(RunSummary.State.SUCCEEDED);
        assertThat(StoreRuns.summary(stored(List.of("a"), Optional.of(new RemoteRuns.ListedEnd(false, 4, "spent")))))
                .satisfies(run -> assertThat(run.state()).isEqualTo(RunSummary.State.FAILED))
                .satisfies(run -> assertThat(run.span().exitCode()).isEqualTo(4));
    }

    private static final String JOINED =
            ",\"host\":\"h\",\"pid\":7,\"slots\":1,\"policy\":\"soft\",\"restarts_all\":false,\"min_nodes\":1,\"max_nodes\":1,"
                    + "\"max_restarts\":3,\"restart_window_ms\":0,\"restart_refund_ms\":0";
    private static final String ENDED =
            ",\"succeeded\":false,\"exit_code\":4,\"reason\":\"no restart is left\",\"causes\":[]";

    private static RemoteRuns.ListedRun stored(List<String> nodes, Optional<RemoteRuns.ListedEnd> end) {
        return new RemoteRuns.ListedRun("r", "soft", nodes, 3, 4, end);
    }

    private void write(String run, String node, String events) throws IOException {
        Path directory = Files.createDirectories(logs.resolve(run).resolve(node));
        Files.writeString(directory.resolve("events.jsonl"), events);
    }
}
