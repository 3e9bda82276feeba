/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.golden.GoldenFile;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The one place where the wording of causes is fixed: {@code causes.txt}, one case for each. */
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
            new Cause.WorkersDone(TWO),
            new Cause.NodesExcluded(ONE),
            new Cause.NodesFenced(TWO),
            new Cause.LinksBroken(),
            new Cause.NodesJoined(1),
            new Cause.NodesJoined(2),
            new Cause.WorkersJoined(1),
            new Cause.WorkersJoined(2),
            new Cause.LinkOf("a", "b"),
            new Cause.AskedByWorker("a", "2 of 8 disks are gone"),
            new Cause.NodesUnreliable(TWO),
            new Cause.RestartCommanded(),
            new Cause.DrainCommanded(),
            new Cause.ScaleCommanded("2:4"),
            new Cause.StopCommanded("ann"),
            new Cause.StopCommanded(""),
            new Cause.Policy("half of the nodes failed"));

    @Tag("golden")
    @Test
    void of_eachCause_isAsInTheGoldenFile() throws IOException {
        GoldenFile golden = GoldenFile.of(CauseTextTest.class, "causes.txt");
        ALL.forEach(cause -> golden.add(CauseFields.kind(cause.getClass()), CauseText.of(List.of(cause))));
        golden.add("several", CauseText.of(List.of(new Cause.WorkersFailed(ONE), new Cause.NodesLost(List.of("b")))));
        golden.assertSame();
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
