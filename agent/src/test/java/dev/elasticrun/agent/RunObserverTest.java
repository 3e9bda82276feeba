/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.contract.UpMessage;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RunObserverTest {
    private long nanos;
    private final RunObserver observer = new RunObserver(1, 0, () -> nanos, RunObserver.Counters.NONE);

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
