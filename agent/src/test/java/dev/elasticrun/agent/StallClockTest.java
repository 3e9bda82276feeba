/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.WorldChange;
import dev.elasticrun.worker.contract.PauseKind;
import dev.elasticrun.worker.contract.UpMessage;
import org.junit.jupiter.api.Test;

final class StallClockTest {
    private final StallClock clock = new StallClock();

    @Test
    void nanos_pausedAndResumed_areUntilTheLastWorkerGoesOn() {
        pause(1, 100);
        work(2, 110);
        assertThat(clock.stillFor(2)).isTrue();

        resumed(2, 130);
        resumed(2, 150);

        assertThat(clock.nanos(2)).isEqualTo(50);
        assertThat(clock.stillFor(2)).isFalse();
        assertThat(clock.nanos(1)).isZero();
    }

    @Test
    void nanos_pausedTwiceBeforeWorking_countFromTheFirst() {
        pause(1, 100);
        pause(1, 120);
        work(3, 130);
        resumed(3, 140);

        assertThat(clock.nanos(3)).isEqualTo(40);
    }

    @Test
    void nanos_freshWorkers_stoodStillForNothing() {
        work(1, 100);
        resumed(1, 140);

        assertThat(clock.nanos(1)).isZero();
    }

    @Test
    void nanos_afterRoundsWithoutThisNode_areNoStall() {
        pause(1, 100);
        clock.on(RoundFixture.round(2).with("b", 0, 1).build(), "a");
        work(3, 700);
        resumed(3, 720);

        assertThat(clock.nanos(3)).isZero();
        assertThat(clock.stillFor(3)).isFalse();
    }

    @Test
    void nanos_whileNobodyCanGoOn_count() {
        pause(1, 100);
        clock.on(RoundFixture.round(2).with("b", 0, 1).suspended().build(), "a");
        clock.on(RoundFixture.round(3).with("a", 0, 1).build(), "a");
        work(3, 700);
        resumed(3, 720);

        assertThat(clock.nanos(3)).isEqualTo(620);
    }

    private void pause(long round, long nowNanos) {
        clock.on(new AgentEffect.Pause(0, 1, round, 1, WorldChange.NONE, PauseKind.CHANGE, "cause"), nowNanos);
    }

    private void work(long round, long nowNanos) {
        clock.on(
                new AgentEffect.Work(
                        0, 2, RoundFixture.round(round).with("a", 0, 1).build(), "cause"),
                nowNanos);
    }

    private void resumed(long round, long nowNanos) {
        clock.on(new UpMessage.Resumed(round, 0, 0), nowNanos);
    }
}
