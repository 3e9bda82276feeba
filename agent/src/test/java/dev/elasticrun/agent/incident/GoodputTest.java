/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class GoodputTest {
    private final Goodput goodput = new Goodput();

    @Test
    void account_beforeWork_isNotKnown() {
        goodput.stop(5);

        assertThat(goodput.account(9)).isEqualTo(new Goodput.Account(0, 0, 0, 0));
        assertThat(goodput.account(9).ratio()).isNegative();
    }

    @Test
    void commit_coversAllWorkBefore() {
        goodput.work(100);
        goodput.commit(1, 160);

        assertThat(goodput.account(200)).isEqualTo(new Goodput.Account(100, 60, 40, 0));
        assertThat(goodput.account(200).ratio()).isEqualTo(0.6);
    }

    @Test
    void commit_ofTheSameVersion_coversNothingNew() {
        goodput.work(0);
        goodput.commit(1, 10);
        goodput.commit(1, 50);

        assertThat(goodput.account(50).committed()).isEqualTo(10);
    }

    @Test
    void pause_countsForNobody() {
        goodput.work(0);
        goodput.stop(10);
        goodput.work(90);
        goodput.commit(1, 100);

        assertThat(goodput.account(100)).isEqualTo(new Goodput.Account(100, 20, 0, 0));
    }

    @Test
    void resume_fromACheckpoint_losesWhatCameAfterIt() {
        goodput.work(0);
        goodput.commit(3, 50);
        goodput.stop(80);
        goodput.resume(3, 90);
        goodput.work(90);
        goodput.commit(4, 100);

        assertThat(goodput.account(100)).isEqualTo(new Goodput.Account(100, 60, 0, 30));
    }

    @Test
    void resume_withAllCommittedAtThePause_losesNothing() {
        goodput.work(0);
        goodput.stop(80);
        goodput.commit(7, 81);
        goodput.resume(7, 90);

        assertThat(goodput.account(100)).isEqualTo(new Goodput.Account(100, 80, 0, 0));
    }

    @Test
    void step_doneAgainWithoutCheckpoints_losesItsFirstTime() {
        goodput.work(0);
        goodput.step(1, 10);
        goodput.step(2, 20);
        goodput.step(3, 30);
        goodput.stop(34);
        goodput.resume(0, 40);
        goodput.work(40);
        goodput.step(2, 50);

        // Steps 2 and 3, what was begun of 4, and the time until step 2 was reported again.
        assertThat(goodput.account(50)).isEqualTo(new Goodput.Account(50, 0, 10, 34));
    }

    @Test
    void step_goesOnWithoutCheckpoints_losesNothing() {
        goodput.work(0);
        goodput.step(1, 10);
        goodput.stop(10);
        goodput.resume(0, 40);
        goodput.work(40);
        goodput.step(2, 50);

        assertThat(goodput.account(50)).isEqualTo(new Goodput.Account(50, 0, 20, 0));
    }

    @Test
    void succeed_keepsWhatNobodyCanLoseAnyMore() {
        goodput.work(0);
        goodput.step(1, 10);
        goodput.succeed(30);

        assertThat(goodput.account(40)).isEqualTo(new Goodput.Account(40, 30, 0, 0));
    }
}
