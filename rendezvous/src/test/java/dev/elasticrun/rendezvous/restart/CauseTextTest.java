/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The one place where the wording of causes is fixed: {@code causes.txt}, one line for each. */
final class CauseTextTest {
    private static final List<String> ONE = List.of("a");
    private static final List<String> TWO = List.of("a", "b");

    private static final List<Cause> ALL = List.of(
            new Cause.Started(1),
            new Cause.Started(3),
            new Cause.WorkersFailed(TWO),
            new Cause.WorkersFailed(TWO, ONE, false),
            new Cause.WorkersFailed(ONE, List.of(), true),
            new Cause.NodesLost(TWO),
            new Cause.NodesLeaving(ONE),
            new Cause.NodesExcluded(ONE),
            new Cause.NodesFenced(TWO),
            new Cause.LinksBroken(),
            new Cause.NodesJoined(1),
            new Cause.NodesJoined(2),
            new Cause.LinkOf("a", "b"),
            new Cause.AskedByWorker("a", "2 of 8 disks are gone"),
            new Cause.NodesUnreliable(TWO),
            new Cause.RestartCommanded(),
            new Cause.DrainCommanded(),
            new Cause.ScaleCommanded("2:4"),
            new Cause.StopCommanded("ann"),
            new Cause.StopCommanded(""),
            new Cause.Policy("half of the nodes failed"));

    @Test
    void of_eachCause_isAsInTheGoldenFile() throws IOException {
        String rendered = ALL.stream()
                .map(cause -> CauseFields.kind(cause.getClass()) + " | " + CauseText.of(List.of(cause)) + "\n")
                .collect(Collectors.joining());

        try (InputStream golden =
                Objects.requireNonNull(CauseTextTest.class.getResourceAsStream("causes.txt"), "causes.txt")) {
            assertThat(rendered).isEqualTo(new String(golden.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void of_several_areOneLine() {
        assertThat(CauseText.of(List.of(new Cause.WorkersFailed(ONE), new Cause.NodesLost(List.of("b")))))
                .isEqualTo("worker failed on a; lost b");
        assertThat(CauseText.of(List.of())).isEmpty();
    }

    @Test
    void all_haveEachTypeThereIs() {
        assertThat(ALL.stream().map(Cause::getClass).distinct().toList())
                .hasSameSizeAs(Cause.class.getPermittedSubclasses());
    }

    @Test
    void fields_ofEachCause_areParsedAsTheSame() {
        for (Cause cause : ALL) {
            assertThat(CauseFields.parse(CauseFields.of(cause))).as("%s", cause).contains(cause);
        }
    }

    @Test
    void parse_ofAnotherVersion_isLeftOutOrHasDefaults() {
        assertThat(CauseFields.parse(Map.of("kind", "meteorite", "nodes", ONE))).isEmpty();
        assertThat(CauseFields.parse(Map.of())).isEmpty();
        assertThat(CauseFields.parse(Map.of("kind", "nodes_joined", "count", "two")))
                .isEmpty();
        assertThat(CauseFields.parse(Map.of("kind", "workers_failed", "nodes", ONE, "weather", "bad")))
                .contains(new Cause.WorkersFailed(ONE));
    }
}
