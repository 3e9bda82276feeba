/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.rules.AgentEvent;
import dev.elasticrun.agent.rules.RoundFixture;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.IncidentCause;
import dev.elasticrun.worker.contract.UpMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RunObserverTest {
    private long nanos;
    private final List<String> causes = new ArrayList<>();
    private final RunObserver observer = new RunObserver("a", 0, () -> nanos, new RunObserver.Counters() {
        @Override
        public void incident(IncidentCause cause) {
            causes.add(cause.label());
        }
    });

    @Test
    void goodput_ofAProgramThatOnlyCommits_isCounted() {
        resume(1);
        pass(10);
        observer.onPosted(new AgentEvent.WorkerReported(0, 0, new UpMessage.Committed(30)));
        assertThat(observer.goodput().ratio()).isEqualTo(1);

        pass(10);
        observer.seeCheckpoint(60);

        assertThat(observer.goodput().ratio()).isEqualTo(1);
    }

    @Test
    void goodput_whenAPeerOfAnEarlierRoundIsReported_isCountedOn() {
        resume(2);
        observer.onEvent(
                new RunEvent.PeerLost(new RunEvent.Worker(0, 0), 1, 1, false),
                RoundFixture.round(2).with("a", 0, 1).build());
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
        observer.onEvent(new RunEvent.NodeFenced(2), round);
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
        observer.onEvent(new RunEvent.IncidentPaused("", 2), round);
        observer.onEvent(new RunEvent.NodeFenced(2), round);
    }

    private void restore(boolean stalled) {
        observer.onEvent(
                new RunEvent.NodeRestored(stalled),
                RoundFixture.round(2).with("a", 0, 1).build());
    }

    private void resume(long number) {
        Round round = RoundFixture.round(number).with("a", 0, 1).build();
        observer.onEvent(new RunEvent.WorkPublished("", List.of(), number, 1, 0, List.of(0)), round);
        observer.onEvent(new RunEvent.WorkerResumed(new RunEvent.Worker(0, 0), 0, number, 0, 0), round);
    }

    private void pass(int seconds) {
        nanos += Duration.ofSeconds(seconds).toNanos();
    }
}
