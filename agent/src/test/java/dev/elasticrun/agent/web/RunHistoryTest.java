/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.LongRun;
import dev.elasticrun.agent.incident.IncidentReport;
import dev.elasticrun.agent.liveness.Neighbour;
import dev.elasticrun.agent.logs.EventPart;
import dev.elasticrun.rendezvous.RunDescription;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.NodeRecords;
import dev.elasticrun.rendezvous.terms.RunSpecs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of node {@code here} are on this host; {@code there} is asked, and {@code gone} is known to it. */
final class RunHistoryTest {
    private static final String ROUND = "\"incarnation\":\"i\",\"round\":1,\"incident\":1,\"nanos\":1,"
            + "\"time\":\"2026-11-22T12:00:00Z\",\"kind\":\"round.sealed\",\"world_size\":3,"
            + "\"nodes\":[\"here\",\"there\",\"gone\"],\"cause\":\"start\"}\n";
    private static final String FAILURE = "\"incarnation\":\"i\",\"round\":1,\"incident\":1,\"nanos\":9,"
            + "\"time\":\"2026-11-22T12:00:09Z\",\"kind\":\"worker.failed\",\"how\":\"exit_code\",\"slot\":0,"
            + "\"rank\":1,\"attempt\":0,\"pid\":7,\"exit_code\":3,\"how\":\"exit_code\",\"message\":\"exit code 3\"}\n";

    @TempDir
    private Path run;

    private final Map<String, String> elsewhere = new HashMap<>();
    private final List<Map<String, Long>> asked = new ArrayList<>();
    private final List<Optional<Set<String>>> exceptGone = new ArrayList<>();
    private List<String> live = List.of("here", "there");
    private long nowNanos;
    private RunHistory history;

    @BeforeEach
    void begin() throws IOException {
        history = new RunHistory(run, this::answer, () -> Optional.of(description()), () -> nowNanos);
        Files.createDirectories(run.resolve("here"));
        Files.createDirectories(run.resolve("no-node"));
        write("{\"node\":\"here\"," + ROUND);
        elsewhere.put("there", "");
    }

    @Test
    void incidents_ofWhatIsHereAndElsewhere_areOfAllNodes() {
        assertThat(look()).hasSize(1);

        elsewhere.put("there", "{\"node\":\"there\"," + FAILURE);

        assertThat(look()).hasSize(2).last().satisfies(report -> {
            assertThat(report.culprits()).singleElement().satisfies(one -> assertThat(one.node())
                    .isEqualTo("there"));
            assertThat(report.outcome()).isEqualTo(IncidentReport.Outcome.WAITS);
        });
    }

    @Test
    void look_again_asksForWhatIsNewOnly_andReadsOnHere() throws IOException {
        elsewhere.put("there", "{\"node\":\"there\"," + ROUND);
        look();
        write("{\"node\":\"here\"," + FAILURE);
        write("{\"node\":\"here\",\"half");

        assertThat(look()).hasSize(2);
        assertThat(asked.get(1)).containsEntry("there", (long) ("{\"node\":\"there\"," + ROUND).getBytes(UTF_8).length);
    }

    @Test
    void gone_areAskedForAtFirstAndWhenNodesChange_andOnesRestIsAdded() {
        elsewhere.put("gone", "{\"node\":\"gone\"," + ROUND);
        live = List.of("here", "there", "gone");
        look();
        look();
        elsewhere.merge("gone", "{\"node\":\"gone\"," + FAILURE, String::concat);
        live = List.of("here", "there");

        assertThat(look()).hasSize(2);
        assertThat(look()).hasSize(2);
        assertThat(exceptGone)
                .containsExactly(
                        Optional.of(Set.of("here", "there", "gone")),
                        Optional.empty(),
                        Optional.of(Set.of("here", "there")),
                        Optional.empty());
    }

    @Test
    void incidents_ofALongRun_areTheNewest_andWhatIsKeptIsBounded() throws IOException {
        try (LongRun here = new LongRun(run, "here")) {
            for (int incident = 1; incident <= 5_000; incident++) {
                here.incident(incident);
            }
        }

        assertThat(look()).hasSizeBetween(20, 24).last().satisfies(report -> {
            assertThat(report.number()).isEqualTo(5_000);
            assertThat(report.culprits()).hasSize(1);
            assertThat(report.answer().restarts().max()).isEqualTo(9999);
        });
        assertThat(look()).noneMatch(report -> report.outcome() == IncidentReport.Outcome.STARTED);
        assertThat(history.size()).isLessThan(25 * LongRun.EVENTS);
    }

    @Test
    void logs_whoseBeginningIsGone_reportNothingOfIt() throws IOException {
        Path file = run.resolve("here/events.jsonl");
        Files.writeString(
                file,
                "{\"offset\":50000000,\"node\":\"here\",\"incarnation\":\"i\",\"round\":0,\"incident\":null,\"nanos\":5,"
                        + "\"time\":\"2026-11-22T12:00:05Z\",\"kind\":\"log.continued\"}\n");
        write("{\"node\":\"here\"," + FAILURE.replace("worker.failed", "store.well"));

        assertThat(look()).isEmpty();
        assertThat(history.knownSince()).contains(Instant.parse("2026-11-22T12:00:05Z"));
    }

    @Test
    void incidents_ofOneThatNeverEnds_areBoundedToo() throws IOException {
        elsewhere.put("there", ("{\"node\":\"there\"," + ROUND) + ("{\"node\":\"there\"," + FAILURE).repeat(10_000));

        assertThat(look()).hasSize(2);
        assertThat(history.size()).isLessThan(1000);
    }

    @Test
    void incidents_ofAnotherIncarnation_areNotMixedIn() throws IOException {
        write("{\"node\":\"here\","
                + FAILURE.replace("\"i\"", "\"before\"").replace("\"incident\":1", "\"incident\":7"));

        assertThat(look()).singleElement().satisfies(report -> assertThat(report.number())
                .isEqualTo(1));
    }

    private List<IncidentReport> look() {
        nowNanos += Duration.ofSeconds(2).toNanos();
        return history.incidents("i");
    }

    private void write(String text) throws IOException {
        Files.writeString(run.resolve("here/events.jsonl"), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private CompletableFuture<List<EventPart>> answer(
            Collection<Neighbour> nodes, Map<String, Long> known, Optional<Set<String>> except) {
        asked.add(known);
        exceptGone.add(except);
        Stream<EventPart> own = nodes.stream().map(node -> {
            long from = known.getOrDefault(node.nodeId(), 0L);
            byte[] all = elsewhere.getOrDefault(node.nodeId(), "").getBytes(UTF_8);
            return new EventPart(
                    node.nodeId(),
                    from,
                    new String(all, UTF_8).substring((int) from).getBytes(UTF_8));
        });
        Stream<EventPart> gone = elsewhere.entrySet().stream()
                .filter(node ->
                        except.map(present -> !present.contains(node.getKey())).orElse(false))
                .map(node -> new EventPart(node.getKey(), 0, node.getValue().getBytes(UTF_8)));
        return CompletableFuture.completedFuture(Stream.concat(own, gone).toList());
    }

    private RunDescription description() {
        return new RunDescription(
                "run",
                "i",
                RunSpecs.terms(1, 1, "soft", 3),
                live.stream().map(RunHistoryTest::node).toList(),
                null,
                "here");
    }

    private static NodeRecord node(String nodeId) {
        return NodeRecords.of(nodeId, nodeId, "127.0.0.1", 1, 1, NodePhase.ACTIVE, List.of());
    }
}
