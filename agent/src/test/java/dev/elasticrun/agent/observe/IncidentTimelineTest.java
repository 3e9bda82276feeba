/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.EventFields;
import dev.elasticrun.agent.incident.IncidentFact;
import dev.elasticrun.agent.incident.IncidentTimeline;
import dev.elasticrun.agent.incident.RecoveryPhase;
import dev.elasticrun.agent.incident.RoundSpan;
import dev.elasticrun.agent.rules.RoundFixture;
import dev.elasticrun.rendezvous.record.Round;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Of a node with two workers; a nanosecond is a millisecond for people, and the clock began at 10 s. */
final class IncidentTimelineTest {
    private final IncidentTimeline timeline = new IncidentTimeline("a", nanos -> 10_000 + nanos);
    private final List<IncidentFact> facts = new ArrayList<>();
    private Round newest = round(1).build();

    @Test
    void start_isNoIncident() {
        event("round.decided", 5, Map.of("next_round", 1));
        begin();

        assertThat(facts).hasOnlyElementsOfType(IncidentFact.Begun.class);
    }

    @Test
    void incident_isTimedFromItsFirstSign() {
        begin();
        peerLost(100, 1, false);
        pause(110, 1);
        see(round(2), 120);
        work(125);
        resumed(150, 0);
        assertThat(recovered()).isEmpty();
        resumed(170, 1);

        assertThat(recovered())
                .containsExactly(Map.of(
                        RecoveryPhase.DETECTED, 10L,
                        RecoveryPhase.PAUSED, 10L,
                        RecoveryPhase.SEALED, 20L,
                        RecoveryPhase.PUBLISHED, 25L,
                        RecoveryPhase.RESUMED, 70L));
    }

    @Test
    void round_withoutAnySignHere_isTimedFromItself() {
        begin();
        see(round(2).suspended(), 200);
        pause(201, 1);
        see(round(3), 250);
        work(251);
        resumed(260, 0);
        resumed(261, 1);

        assertThat(recovered()).singleElement().satisfies(done -> assertThat(done)
                .containsEntry(RecoveryPhase.DETECTED, 0L)
                .containsEntry(RecoveryPhase.SEALED, 50L)
                .containsEntry(RecoveryPhase.RESUMED, 61L));
    }

    @Test
    void workersThatNeverReport_areTimedUpToTheirWork() {
        begin();
        failed(100);
        see(round(2), 110);
        work(120);
        assertThat(recovered()).isEmpty();
        see(round(3), 500);
        work(510);

        assertThat(recovered()).singleElement().satisfies(done -> assertThat(done)
                .containsEntry(RecoveryPhase.PUBLISHED, 20L)
                .doesNotContainKey(RecoveryPhase.RESUMED));
    }

    @Test
    void eventsAboutTheSameRound_areNoNewIncident() {
        begin();
        event("round.decided", 100, Map.of("next_round", 1));
        resumed(200, 0);
        resumed(201, 1);

        assertThat(facts).hasOnlyElementsOfType(IncidentFact.Begun.class);
    }

    @Test
    void leaseThatWasRenewedAfterAll_isNoBeginningOfTheNextIncident() {
        begin();
        event("node.fenced", 100, Map.of("working_round", 1));
        event("node.restored", 150, Map.of("stalled", false));
        failed(9000);
        see(round(2), 9010);
        work(9020);
        resumed(9030, 0);
        resumed(9040, 1);

        assertThat(recovered()).singleElement().satisfies(done -> assertThat(done)
                .containsEntry(RecoveryPhase.RESUMED, 40L));
    }

    @Test
    void failureWhileTheLeaseIsInDoubt_isNotTakenBackWithIt() {
        begin();
        event("node.fenced", 100, Map.of("working_round", 1));
        failed(110);
        event("node.restored", 150, Map.of("stalled", false));

        assertThat(timeline.rounds())
                .singleElement()
                .satisfies(round -> assertThat(round.times().broken()).isEqualTo(10_100));
    }

    @Test
    void rounds_haveWhenEachPartWasReached() {
        see(round(1), 4);
        work(5);
        resumed(20, 0);
        resumed(30, 1);
        peerLost(500, 1, false);
        pause(510, 1);
        newest = round(2).build();
        work(512);
        see(round(2), 513);
        resumed(600, 0);

        assertThat(timeline.rounds()).hasSize(2);
        RoundSpan first = timeline.rounds().get(0);
        assertThat(first.joined()).isTrue();
        assertThat(List.of(
                        first.times().sealed(),
                        first.times().published(),
                        first.times().resumed(),
                        first.times().broken(),
                        first.times().paused()))
                .containsExactly(10_004L, 10_005L, 10_030L, 10_500L, 10_510L);
        RoundSpan second = timeline.rounds().get(1);
        assertThat(second.times().sealed())
                .as("WORK comes before the round itself")
                .isEqualTo(10_512);
        assertThat(second.times().published()).isEqualTo(10_512);
        assertThat(second.times().resumed()).as("one of two").isNull();
        assertThat(second.members()).containsExactly(new RoundSpan.Member("a", "a", 0, 2));
    }

    @Test
    void round_thatIsSuspended_isASpanOfItsOwn() {
        see(round(1), 0);
        see(round(1).suspended(), 100);
        see(round(1).suspended(), 110);
        see(round(2), 200);

        assertThat(timeline.rounds()).extracting(RoundSpan::suspended).containsExactly(false, true, false);
        assertThat(timeline.rounds())
                .extracting(round -> round.times().sealed())
                .containsExactly(10_000L, 10_100L, 10_200L);
    }

    @Test
    void round_thatGoesOnAfterAPauseOfItsOwn_isNotBrokenAnyMore() {
        begin();
        event("node.fenced", 100, Map.of("working_round", 1));
        pause(101, 1);
        work(400);
        event("node.restored", 401, Map.of("stalled", false));
        peerLost(402, 1, true);
        resumed(410, 0);
        resumed(420, 1);

        assertThat(timeline.rounds()).hasSize(2);
        assertThat(timeline.rounds().get(0).times().broken()).as("it did stop").isEqualTo(10_100);
        assertThat(timeline.rounds().get(1).times().broken()).isNull();
        assertThat(timeline.rounds().get(1).times().published()).isEqualTo(10_400);
        assertThat(timeline.rounds().get(1).times().resumed()).isEqualTo(10_420);
    }

    @Test
    void lease_inDoubtWithoutAPause_isOverWhenItIsRenewed() {
        begin();
        event("node.fenced", 100, Map.of("working_round", 1));
        event("node.restored", 150, Map.of("stalled", false));

        assertThat(timeline.rounds())
                .singleElement()
                .satisfies(round -> assertThat(round.times().broken()).isNull());
    }

    @Test
    void peer_lostInAnEarlierRound_doesNotBreakTheNewestOne() {
        begin();
        see(round(2), 200);
        work(201);
        peerLost(202, 1, false);
        assertThat(timeline.rounds().get(1).times().broken()).isNull();

        peerLost(300, 2, false);

        assertThat(timeline.rounds().get(1).times().broken()).isEqualTo(10_300);
    }

    @Test
    void rounds_ofALongRun_areTheNewest() {
        for (int number = 1; number <= 200; number++) {
            see(round(number), number);
        }

        assertThat(timeline.rounds())
                .hasSize(64)
                .last()
                .extracting(RoundSpan::number)
                .isEqualTo(200L);
    }

    @Test
    void stall_isUntilTheLastWorkerGoesOn() {
        begin();
        pause(100, 1);
        see(round(2), 105);
        work(110);
        assertThat(timeline.isStalledFor(2)).isTrue();

        resumed(130, 0);
        resumed(150, 1);

        assertThat(timeline.stallNanos(2)).isEqualTo(50);
        assertThat(timeline.isStalledFor(2)).isFalse();
        assertThat(timeline.stallNanos(1)).isZero();
    }

    @Test
    void stall_ofTwoPausesBeforeWork_countsFromTheFirst() {
        begin();
        pause(100, 1);
        pause(120, 1);
        see(round(3), 125);
        work(130);
        resumed(140, 0);

        assertThat(timeline.stallNanos(3)).isEqualTo(40);
    }

    @Test
    void stall_ofFreshWorkers_isNone() {
        begin();

        assertThat(timeline.stallNanos(1)).isZero();
    }

    @Test
    void stall_afterRoundsWithoutThisNode_isNone() {
        begin();
        pause(100, 1);
        see(RoundFixture.round(2).with("b", 0, 1), 200);
        see(round(3), 690);
        work(700);
        resumed(720, 0);

        assertThat(timeline.stallNanos(3)).isZero();
        assertThat(timeline.isStalledFor(3)).isFalse();
    }

    @Test
    void stall_whileNobodyCanGoOn_counts() {
        begin();
        pause(100, 1);
        see(RoundFixture.round(2).with("b", 0, 1).suspended(), 200);
        see(round(3), 690);
        work(700);
        resumed(720, 0);

        assertThat(timeline.stallNanos(3)).isEqualTo(620);
    }

    private static RoundFixture round(long number) {
        return RoundFixture.round(number).with("a", 0, 2);
    }

    private void begin() {
        see(round(1), 10);
        work(11);
        resumed(20, 0);
        resumed(30, 1);
    }

    private List<Map<RecoveryPhase, Long>> recovered() {
        return facts.stream()
                .filter(IncidentFact.Recovered.class::isInstance)
                .map(fact -> ((IncidentFact.Recovered) fact).nanos())
                .toList();
    }

    private void see(RoundFixture round, long nanos) {
        newest = round.build();
        facts.addAll(timeline.see(newest, nanos));
    }

    private void work(long nanos) {
        event("work.published", nanos, Map.of());
    }

    private void pause(long nanos, long round) {
        event("incident.paused", nanos, Map.of("paused_round", round));
    }

    private void failed(long nanos) {
        event("worker.failed", nanos, Map.of("how", "signal"));
    }

    private void peerLost(long nanos, long round, boolean answered) {
        event("peer.lost", nanos, Map.of("slot", 0, "lost_rank", 3, "lost_round", round, "answered", answered));
    }

    private void resumed(long nanos, int slot) {
        event("worker.resumed", nanos, Map.of("resumed_round", newest.number(), "slot", slot));
    }

    private void event(String kind, long nanos, Map<String, Object> fields) {
        facts.addAll(timeline.see(EventFields.parse(kind, fields), newest, nanos));
    }
}
