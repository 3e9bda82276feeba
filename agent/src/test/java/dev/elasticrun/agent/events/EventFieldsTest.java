/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.rendezvous.restart.Cause;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class EventFieldsTest {
    private static final RunEvent.Worker WORKER = new RunEvent.Worker(1, 2);

    @Test
    void kind_isTheNameOfTheType() {
        assertThat(new RunEvent.WorkerStarted(WORKER, 77).kind()).isEqualTo("worker.started");
        assertThat(new RunEvent.RunStopRequested(Optional.empty(), "").kind()).isEqualTo("run.stop_requested");
        assertThat(new RunEvent.Unknown("future.kind").kind()).isEqualTo("future.kind");
        assertThat(EventFields.kinds())
                .hasSizeGreaterThan(40)
                .doesNotContain("unknown")
                .allMatch(kind -> kind.matches("[a-z]+\\.[a-z_]+"));
    }

    @Test
    void event_asFieldsAndBack_isTheSame() {
        RunEvent failed = new RunEvent.WorkerFailed(
                WORKER,
                5,
                new RunEvent.WorkerEnd(77, 137),
                new RunEvent.Found(FailureKind.OUT_OF_MEMORY, "killed", Optional.empty()),
                true,
                300);
        List<Cause> causes = List.of(new Cause.NodesLost(List.of("a", "b")), new Cause.NodesJoined(2));
        RunEvent decided = new RunEvent.RoundDecided("lost a, b", causes, 7, true);
        RunEvent ended = new RunEvent.RunEnded(
                false,
                1,
                "failed",
                causes,
                Optional.of(new RunEvent.Root("a", 1, 2, 3, FailureKind.HANG, "no progress", "at x")));

        for (RunEvent event :
                List.of(failed, decided, ended, new RunEvent.NodeKeptOut("a", "unreliable", Optional.of(7L)))) {
            assertThat(EventFields.parse(event.kind(), EventFields.of(event))).isEqualTo(event);
        }
        assertThat(EventFields.of(failed))
                .containsExactly(
                        Map.entry("slot", 1),
                        Map.entry("attempt", 2),
                        Map.entry("rank", 5),
                        Map.entry("pid", 77L),
                        Map.entry("exit_code", 137),
                        Map.entry("how", "out_of_memory"),
                        Map.entry("message", "killed"),
                        Map.entry("collateral", true),
                        Map.entry("held_ms", 300L));
    }

    /** A field of an event would be lost beside one of the line. */
    @Test
    void fields_areNoneOfThoseThatEveryLineHas() {
        Set<String> ofLine =
                Set.of("schema", "run", "incarnation", "node", "round", "incident", "nanos", "time", "kind");
        for (String kind : EventFields.kinds()) {
            RunEvent event = EventFields.parse(kind, Map.of("how", "signal"));

            assertThat(event).as(kind).isNotInstanceOf(RunEvent.Unknown.class);
            assertThat(EventFields.of(event)).as(kind).doesNotContainKeys(ofLine.toArray(String[]::new));
        }
    }

    @Test
    void damaged_isUnknown_andAbsentIsEmpty() {
        Map<String, Object> fields = new HashMap<>(EventFields.of(new RunEvent.WorkerStarted(WORKER, 77)));
        fields.put("pid", "a text");
        assertThat(EventFields.parse("worker.started", fields)).isEqualTo(new RunEvent.Unknown("worker.started"));

        assertThat(EventFields.parse("node.kept_out", Map.of("kept", "a", "future", 1)))
                .isEqualTo(new RunEvent.NodeKeptOut("a", "", Optional.empty()));
        assertThat(EventFields.parse("future.kind", Map.of())).isEqualTo(new RunEvent.Unknown("future.kind"));
    }

    @Test
    void texts_areThoseThatAreGivenForThem() {
        List<Cause> causes = List.of(new Cause.Policy("own"), new Cause.NodesLost(List.of("c")));
        RunEvent event = new RunEvent.RoundSealed("why", causes, 2, List.of("a", "b"), 0);

        List<Cause> marked = List.of(new Cause.Policy("own!"), new Cause.NodesLost(List.of("c!")));
        assertThat(EventFields.withTexts(event, text -> text + "!"))
                .isEqualTo(new RunEvent.RoundSealed("why!", marked, 2, List.of("a!", "b!"), 0));
    }
}
