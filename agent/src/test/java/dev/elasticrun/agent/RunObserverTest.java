/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.trail.IncidentCause;
import dev.elasticrun.rendezvous.Round;
import dev.elasticrun.worker.contract.UpMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RunObserverTest {
    private long nanos;
    private final List<String> causes = new ArrayList<>();
    private final RunObserver observer = new RunObserver(1, 0, () -> nanos, new RunObserver.Counters() {
        @Override
        public void incident(IncidentCause cause) {
            causes.add(cause.label());
        }
    });

    @Test
    void goodput_ofAProgramThatOnlyCommits_isCounted() {
        resume(1);
        pass(10);
        observer.onPosted(new AgentEvent.WorkerSaid(0, 0, new UpMessage.Committed(30)));
        assertThat(observer.goodput().ratio()).isEqualTo(1);

        pass(10);
        observer.seeCheckpoint(60);

        assertThat(observer.goodput().ratio()).isEqualTo(1);
    }

    @Test
    void goodput_whenAPeerOfAnEarlierRoundIsReported_isCountedOn() {
        resume(2);
        observer.onEvent(
                "peer.lost", RoundFixture.round(2).with("a", 0, 1).build(), Map.of("slot", 0, "lost_round", 1L));
        pass(10);
        observer.seeCheckpoint(60);

        assertThat(observer.goodput().ratio()).isEqualTo(1);
    }

    @Test
    void storeAwayWhileTheRoundGoesOn_isOneIncident() {
        fence();
        restore(false);
        assertThat(causes).isEmpty();
        resume(2);
        resume(2);

        assertThat(causes).containsExactly("store_unreachable");
    }

    @Test
    void storeAway_withoutAPauseByTheAgent_isOneIncident() {
        Round round = RoundFixture.round(2).with("a", 0, 1).build();
        observer.onEvent("node.fenced", round, Map.of("working_round", 2L));
        restore(false);

        assertThat(causes).containsExactly("store_unreachable");
    }

    @Test
    void storeAwayUntilANewRound_isThatRoundsIncidentOnly() {
        fence();
        observer.onRound(RoundFixture.round(3).with("a", 0, 1).build());
        resume(3);

        assertThat(causes).hasSize(1).doesNotContain("store_unreachable");
    }

    private void fence() {
        Round round = RoundFixture.round(2).with("a", 0, 1).build();
        observer.onRound(round);
        resume(2);
        observer.onEvent("incident.paused", round, Map.of("paused_round", 2L));
        observer.onEvent("node.fenced", round, Map.of("working_round", 2L));
    }

    private void restore(boolean stalled) {
        observer.onEvent("node.restored", RoundFixture.round(2).with("a", 0, 1).build(), Map.of("stalled", stalled));
    }

    private void resume(long round) {
        observer.onEvent(
                "worker.resumed",
                RoundFixture.round(round).with("a", 0, 1).build(),
                Map.of("slot", 0, "resumed_round", round, "version", 0L));
    }

    private void pass(int seconds) {
        nanos += Duration.ofSeconds(seconds).toNanos();
    }
}
