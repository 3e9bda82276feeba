/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.view;

import dev.elasticrun.agent.decisions.DecisionLine;
import dev.elasticrun.agent.decisions.Difference;
import dev.elasticrun.agent.decisions.Replayed;
import dev.elasticrun.cli.GoldenFile;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("golden")
final class ReplayViewTest {
    private static final Replayed WAIT = new Replayed(
            stamp("2026-01-02T03:04:05.678Z"),
            false,
            "soft-elastic",
            "soft-elastic",
            List.of("round 1, 2 workers on a, b", "nodes: a active, b active"),
            List.of("keep the round: all is well"),
            "wait: members were lost",
            "wait: members were lost",
            List.of());
    private static final Replayed DECISION = new Replayed(
            stamp("2026-01-02T03:04:05.698Z"),
            true,
            "soft-elastic",
            "hard",
            List.of("round 1, 2 workers on a, b", "gone: \u001b[2Jb"),
            List.of(),
            "round 2 is sealed, 1 worker on a, because b was lost",
            "round 1 is suspended, 1 worker on a, because b was lost",
            List.of(
                    new Difference("plan.decision.round.number", "2", "1"),
                    new Difference("plan.decision.round.suspended", "false", "true")));

    private static DecisionLine.Stamp stamp(String time) {
        return new DecisionLine.Stamp("run", "i", "a", 2, Instant.parse(time));
    }

    @Test
    void text_sameAndDifferent_isAsInTheGoldenFile() throws IOException {
        GoldenFile.assertSame("replay.txt", ReplayView.of(2, List.of(WAIT, DECISION), ZoneOffset.UTC));
    }

    @Test
    void json_sameAndDifferent_hasStableNames() throws IOException {
        GoldenFile.assertSame("replay.json", ReplayJson.of("run", 2, List.of(WAIT, DECISION)));
    }
}
