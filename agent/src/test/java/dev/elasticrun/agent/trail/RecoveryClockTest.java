/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.trail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.EventFields;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RecoveryClockTest {
    private final RecoveryClock clock = new RecoveryClock(2);

    @Test
    void start_isNoIncident() {
        assertThat(event("round.decided", 1, 5, Map.of("next_round", 1))).isEmpty();
        clock.seeRound(1, false, 10);
        assertThat(event("work.published", 1, 11, Map.of())).isEmpty();
        assertThat(resumed(1, 0, 20)).isEmpty();
        assertThat(resumed(1, 1, 30)).isEmpty();
    }

    @Test
    void incident_isTimedFromItsFirstSign() {
        start();
        event("peer.lost", 1, 100, Map.of("slot", 0, "lost_rank", 3, "lost_round", 1));
        event("incident.paused", 1, 110, Map.of("paused_round", 1));
        clock.seeRound(2, false, 120);
        event("work.published", 2, 125, Map.of());
        assertThat(resumed(2, 0, 150)).isEmpty();

        assertThat(resumed(2, 1, 170))
                .contains(new RecoveryClock.Recovery(Map.of(
                        RecoveryPhase.DETECTED, 10L,
                        RecoveryPhase.PAUSED, 10L,
                        RecoveryPhase.SEALED, 20L,
                        RecoveryPhase.PUBLISHED, 25L,
                        RecoveryPhase.RESUMED, 70L)));
    }

    @Test
    void round_withoutAnySignHere_isTimedFromItself() {
        start();
        clock.seeRound(2, true, 200);
        event("incident.paused", 2, 201, Map.of("paused_round", 1));
        clock.seeRound(3, false, 250);
        event("work.published", 3, 251, Map.of());
        resumed(3, 0, 260);

        assertThat(resumed(3, 1, 261)).hasValueSatisfying(done -> assertThat(done.nanos())
                .containsEntry(RecoveryPhase.DETECTED, 0L)
                .containsEntry(RecoveryPhase.SEALED, 50L)
                .containsEntry(RecoveryPhase.RESUMED, 61L));
    }

    @Test
    void workersThatNeverTell_areTimedUpToTheirWork() {
        start();
        event("worker.failed", 1, 100, Map.of("how", "signal"));
        clock.seeRound(2, false, 110);
        assertThat(event("work.published", 2, 120, Map.of())).isEmpty();
        clock.seeRound(3, false, 500);

        assertThat(event("work.published", 3, 510, Map.of())).hasValueSatisfying(done -> assertThat(done.nanos())
                .containsEntry(RecoveryPhase.PUBLISHED, 20L)
                .doesNotContainKey(RecoveryPhase.RESUMED));
    }

    @Test
    void eventsThatTellOfTheSameRound_areNoNewIncident() {
        start();
        assertThat(event("round.decided", 1, 100, Map.of("next_round", 1))).isEmpty();
        assertThat(resumed(1, 0, 200)).isEmpty();
        assertThat(resumed(1, 1, 201)).isEmpty();
    }

    @Test
    void leaseThatWasRenewedAfterAll_isNoBeginningOfTheNextIncident() {
        start();
        event("node.fenced", 1, 100, Map.of("working_round", 1));
        event("node.restored", 1, 150, Map.of("stalled", false));
        event("worker.failed", 1, 9000, Map.of("how", "signal"));
        clock.seeRound(2, false, 9010);
        event("work.published", 2, 9020, Map.of());
        resumed(2, 0, 9030);

        assertThat(resumed(2, 1, 9040))
                .hasValueSatisfying(done -> assertThat(done.nanos()).containsEntry(RecoveryPhase.RESUMED, 40L));
    }

    private void start() {
        clock.seeRound(1, false, 10);
        event("work.published", 1, 11, Map.of());
        resumed(1, 0, 20);
        resumed(1, 1, 30);
    }

    private Optional<RecoveryClock.Recovery> resumed(long round, int slot, long nanos) {
        return event("worker.resumed", round, nanos, Map.of("resumed_round", round, "slot", slot));
    }

    private Optional<RecoveryClock.Recovery> event(String kind, long round, long nanos, Map<String, Object> fields) {
        return clock.see(new Sighting(EventFields.parse(kind, fields), round, nanos));
    }
}
