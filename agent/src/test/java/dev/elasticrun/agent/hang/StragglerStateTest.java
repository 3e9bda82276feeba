/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.hang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.contract.Heartbeat;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A worker that is in and out of sections in which it waits for its peers, in a time that the test makes. */
final class StragglerStateTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long POLL = 200 * MS;
    private static final int BOOST = 1;
    private static final int EVALUATE = 2;

    private final StragglerState state = new StragglerState(3000 * MS);
    private RoundNow round = RoundNow.NONE;
    private boolean hasEventLoop;
    private int asked;
    private long now;
    private long beats;
    private int section;
    private long peerRound;

    @BeforeEach
    void roundFive() {
        round = round.working(5, 0, now);
    }

    @Test
    void look_roundIsOpen_isNone() {
        enter(BOOST, 5);

        assertThat(pass(3_600_000)).isEmpty();
    }

    @Test
    void look_roundIsOver_isOneAfterTheGrace() {
        enter(BOOST, 5);
        pass(1000);
        pause();
        pass(1000);
        work(6);

        assertThat(pass(1800)).isEmpty();
        Optional<StragglerState.Straggler> straggler = pass(200);

        assertThat(straggler).hasValueSatisfying(found -> {
            assertThat(found.seen().section().name()).isEqualTo("1");
            assertThat(found.round()).isEqualTo(5);
            assertThat(found.stayedNanos()).isEqualTo(3_000_000_000L);
            assertThat(found.graceNanos()).isEqualTo(3_000_000_000L);
        });
    }

    @Test
    void look_comesOut_isNone() {
        enter(BOOST, 5);
        pause();
        pass(2800);
        enter(0, 0);

        assertThat(pass(60_000)).isEmpty();
    }

    @Test
    void look_goesOnInTheOldRound_hasItsTimeAnew() {
        pause();
        for (int i = 0; i < 10; i++) {
            enter(BOOST, 5);
            assertThat(pass(2000)).isEmpty();
        }
    }

    @Test
    void look_newRoundWithoutPause_isOver() {
        enter(BOOST, 5);
        pass(200);
        work(6);

        assertThat(pass(2800)).isEmpty();
        assertThat(pass(200)).isPresent();
    }

    @Test
    void look_sameRoundGoesOn_isOpenAgain() {
        enter(BOOST, 5);
        pause();
        pass(2800);
        work(5);

        assertThat(pass(60_000)).isEmpty();
        pause();
        assertThat(pass(2800)).isEmpty();
        assertThat(pass(200)).isPresent();
    }

    @Test
    void look_ordinarySection_isNone() {
        enter(BOOST, 0);
        pause();

        assertThat(pass(60_000)).isEmpty();
    }

    @Test
    void look_longStaysBefore_hasTwiceTheLongest() {
        stay(BOOST, 5, 20_000);
        stay(EVALUATE, 5, 1000);
        stay(BOOST, 5, 10_000);
        stay(EVALUATE, 5, 1000);
        enter(BOOST, 5);
        pass(1000);
        pause();

        assertThat(pass(39_000)).isEmpty();
        assertThat(pass(1400).map(StragglerState.Straggler::longestNanos))
                .hasValueSatisfying(longest -> assertThat(longest).isBetween(19_900 * MS, 20_000 * MS));
    }

    @Test
    void look_stayThatEndedWithTheRound_isNotLearned() {
        stay(BOOST, 5, 400);
        stay(BOOST, 5, 20_000);
        pause();
        work(6);
        stay(BOOST, 6, 400);
        enter(BOOST, 6);
        pass(200);
        pause();

        assertThat(pass(2800)).isEmpty();
        assertThat(pass(200)).isPresent();
    }

    @Test
    void look_eventLoopRuns_hasTheGraceTwiceAndWaitsForNodesBefore() {
        hasEventLoop = true;
        round = round.working(5, 2, now);
        enter(BOOST, 5);
        pass(200);
        pause();

        assertThat(pass(8800)).isEmpty();
        assertThat(pass(200).map(StragglerState.Straggler::eventLoop)).contains(StragglerState.EventLoop.THERE);
    }

    @Test
    void look_eventLoopHasGone_hasTheGraceOnce() {
        hasEventLoop = true;
        enter(BOOST, 5);
        pass(200);
        hasEventLoop = false;
        pause();

        assertThat(pass(2800)).isEmpty();
        assertThat(pass(200).map(StragglerState.Straggler::eventLoop)).contains(StragglerState.EventLoop.GONE);
    }

    @Test
    void look_eventLoopOfThePastRound_reportsNothingOfThisOne() {
        hasEventLoop = true;
        stay(BOOST, 5, 200);
        hasEventLoop = false;
        work(6);
        enter(BOOST, 6);
        pass(200);
        pause();

        assertThat(pass(3000).map(StragglerState.Straggler::eventLoop)).contains(StragglerState.EventLoop.NEVER_SEEN);
    }

    @Test
    void look_eventLoopWasSeen_isNotLookedForAsLongAsTheRoundIsOpen() {
        hasEventLoop = true;
        enter(BOOST, 5);
        pass(60_000);

        assertThat(asked).isEqualTo(1);
    }

    @Test
    void look_agentWasStopped_timeDoesNotCount() {
        enter(BOOST, 5);
        pass(200);
        pause();
        pass(200);
        now += 60_000 * MS;
        state.forgive(60_000 * MS);

        assertThat(pass(2600)).isEmpty();
        assertThat(pass(200)).isPresent();
    }

    private void pause() {
        round = round.paused(now);
    }

    private void work(long number) {
        round = round.working(number, 0, now);
    }

    private void enter(int number, long openedFor) {
        section = number;
        peerRound = openedFor;
        beats++;
    }

    private void stay(int number, long openedFor, long millis) {
        enter(number, openedFor);
        assertThat(pass(millis)).isEmpty();
        enter(0, 0);
    }

    /** The straggler that is seen first in that time. */
    private Optional<StragglerState.Straggler> pass(long millis) {
        for (long end = now + millis * MS; now < end; ) {
            now += POLL;
            Optional<StragglerState.Straggler> found = state.look(view(), round, this::ask, now);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private boolean ask() {
        asked++;
        return hasEventLoop;
    }

    private Heartbeat.View view() {
        return new Heartbeat.View(
                beats,
                0,
                true,
                "main",
                new Heartbeat.View.Progress(0, 0, 0),
                new Heartbeat.View.Section(section, String.valueOf(section), 0, true, peerRound));
    }
}
