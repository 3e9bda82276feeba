/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.EventFields;
import dev.elasticrun.agent.incident.IncidentTimeline;
import dev.elasticrun.agent.rules.RoundFixture;
import dev.elasticrun.agent.telemetry.IncidentSpan;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.Cause;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Of a node with two workers, beside another with as many; the wall clock shows 1000 s when the monotonic one is 0. */
final class IncidentSpansTest {
    private final IncidentTimeline timeline = new IncidentTimeline("a", nanos -> 0);
    private final IncidentSpans spans =
            new IncidentSpans(nanos -> Instant.ofEpochSecond(1000).plusNanos(nanos));
    private final List<IncidentSpan> made = new ArrayList<>();
    private Round round =
            RoundFixture.round(1).with("a", 0, 2).with("b-1", 0, 2).build();
    private long millis;

    @BeforeEach
    void join() {
        spans.joined("i-1");
    }

    @Test
    void answered_hasPhasesFailuresAndAnswer() {
        works(0);
        fails(1000);
        survive();
        millis = 1100;
        works(40);

        assertThat(made).singleElement().satisfies(span -> {
            assertThat(span.incarnation()).isEqualTo("i-1");
            assertThat(span.number()).isEqualTo(round.incident());
            assertThat(span.began()).isEqualTo(Instant.ofEpochMilli(1_001_000));
            assertThat(span.length()).isEqualTo(Duration.ofMillis(100));
            assertThat(span.phases()).last().isEqualTo(new IncidentSpan.Phase("resumed", Duration.ofMillis(100)));
            assertThat(span.phases()).extracting(IncidentSpan.Phase::reached).isSorted();
            assertThat(span.failures())
                    .containsExactly(new IncidentSpan.Failure("rank 1", "signal", "killed by SIGKILL (9)"));
            assertThat(span.error()).isEmpty();
            assertThat(span.answer()).hasValueSatisfying(answer -> {
                assertThat(answer.worldBefore()).isEqualTo(4);
                assertThat(answer.world()).isEqualTo(2);
                assertThat(answer.version()).isEqualTo(40);
                assertThat(answer.stepsLost()).isEmpty();
            });
        });
    }

    @Test
    void programThatReportsSteps_isWaitedFor_untilItsFirstStep() {
        works(0);
        pausesAtStep(120);
        survive();
        works(40);
        assertThat(made).isEmpty();

        see("worker.progressed", Map.of("slot", 0, "rank", 0, "step", 119L));

        assertThat(made).singleElement().satisfies(span -> assertThat(
                        span.answer().flatMap(IncidentSpan.Answer::stepsLost))
                .contains(2L));
    }

    @Test
    void programThatMakesNoStep_isWaitedFor_untilTheFlush() {
        works(0);
        pausesAtStep(120);
        survive();
        works(40);

        assertThat(spans.flush()).singleElement().satisfies(span -> assertThat(span.answer())
                .isPresent());
        assertThat(spans.flush()).isEmpty();
    }

    @Test
    void nextFailure_endsTheWait() {
        works(0);
        pausesAtStep(120);
        survive();
        works(40);
        fails(2000);

        assertThat(made).singleElement().satisfies(span -> assertThat(span.failures())
                .isEmpty());
    }

    @Test
    void overtakenAnswer_isASpanUpToItsWork() {
        works(0);
        fails(1000);
        survive();
        millis = 1020;
        see("work.published", Map.of());
        round = RoundFixture.round(3).with("a", 0, 2).with("c-1", 0, 2).build();
        millis = 3000;
        works(0);

        assertThat(made).hasSize(2);
        assertThat(made.get(0).answer()).isEmpty();
        assertThat(made.get(0).length()).isEqualTo(Duration.ofMillis(20));
        assertThat(made.get(1).failures()).isEmpty();
    }

    @Test
    void agentThatEndsInAnIncident_hasASpanWithTheReason() {
        works(0);
        fails(1000);
        millis = 1500;
        see("agent.ended", Map.of("exit_code", 1, "reason", "no restart is left"));

        assertThat(made).singleElement().satisfies(span -> {
            assertThat(span.error()).isEqualTo("no restart is left");
            assertThat(span.cause()).isEqualTo("worker_failed");
            assertThat(span.length()).isEqualTo(Duration.ofMillis(500));
            assertThat(span.number()).isEqualTo(round.incident() + 1);
            assertThat(span.answer()).isEqualTo(Optional.empty());
        });
    }

    @Test
    void agentThatEndsWell_hasNone() {
        works(0);
        see("agent.ended", Map.of("exit_code", 0, "reason", "succeeded"));

        assertThat(made).isEmpty();
    }

    @Test
    void agentThatIsDrainedWhileItWaits_hasNone() {
        works(0);
        see("incident.paused", Map.of("paused_round", 1L));
        see("agent.ended", Map.of("exit_code", 143, "reason", "drained"));

        assertThat(made).isEmpty();
    }

    @Test
    void workersThatDoNotAcknowledge_areOneFailure() {
        works(0);
        see("pause.expired", Map.of("slots", List.of(0, 1), "seconds", 10L));
        survive();
        works(0);

        assertThat(made).singleElement().satisfies(span -> assertThat(span.failures())
                .containsExactly(new IncidentSpan.Failure(
                        "local ranks 0, 1", "no_answer", "did not acknowledge PAUSE within 10 s")));
    }

    @Test
    void lostNode_isTheCause() {
        works(0);
        see("incident.paused", Map.of("paused_round", 1L));
        round = RoundFixture.round(2)
                .with("a", 0, 2)
                .because(new Cause.NodesLost(List.of("b-1")))
                .build();
        works(0);

        assertThat(made).singleElement().satisfies(span -> assertThat(span.cause())
                .isEqualTo("node_lost"));
    }

    private void survive() {
        round = RoundFixture.round(2).with("a", 0, 2).build();
    }

    private void fails(long at) {
        millis = at;
        see(
                "worker.failed",
                Map.of("slot", 1, "rank", 1, "exit_code", 137, "how", "signal", "message", "killed by SIGKILL (9)"));
    }

    private void pausesAtStep(long step) {
        see("incident.paused", Map.of("paused_round", 1L));
        see("pause.acknowledged", Map.of("slot", 0, "version", 41L, "step", step));
    }

    private void works(long version) {
        see("work.published", Map.of());
        for (int slot = 0; slot < 2; slot++) {
            see("worker.resumed", Map.of("slot", slot, "resumed_round", round.number(), "version", version));
        }
    }

    private void see(String kind, Map<String, ?> fields) {
        made.addAll(
                spans.of(timeline.see(EventFields.parse(kind, fields), round, TimeUnit.MILLISECONDS.toNanos(millis))));
    }
}
