/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.hang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.contract.Heartbeat;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a worker hangs, in a time that the test makes. */
final class HangStateTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long POLL = 200 * MS;

    private final HangState state = new HangState(1000 * MS, 4000 * MS);
    private long now;
    private long beats;
    private long looks;
    private boolean waits;
    private int section;
    private long limit;
    private long peerRound;
    /** Whether its JVM does not look by itself. */
    private boolean isStopped;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void look_manyStepsWithJitter_isNoHang(long seed) {
        Random random = new Random(seed);
        for (int step = 0; step < 100_000; step++) {
            // Half to one and a half of 400 ms, every thousandth step up to six times as long.
            double factor = random.nextInt(1000) == 0 ? 1 + 5 * random.nextDouble() : 0.5 + random.nextDouble();
            assertThat(pass((long) (400 * MS * factor))).as("step " + step).isEmpty();
            beats++;
        }
    }

    @Test
    void look_fiftyTimesSlower_isAHangBeforeTheStepIsOver() {
        steps(200, 400 * MS);

        Optional<HangState.Hang> hang = pass(50 * 400 * MS);

        assertThat(hang).isPresent();
        assertThat(hang.get().longestNanos()).isBetween(200 * MS, 800 * MS);
        assertThat(hang.get().stillNanos()).isLessThan(10_000 * MS);
    }

    @Test
    void look_thousandsOfStepsWereSeen_isAHangAfterThreeTimesTheirPercentile() {
        steps(HangLearner.PERCENTILE_ENOUGH + HangLearner.WARM_UP + 1, 400 * MS);
        assertThat(pass(700 * MS)).isEmpty();

        Optional<HangState.Hang> hang = pass(1000 * MS);

        // A class of the histogram ends at most a quarter above what is in it.
        assertThat(hang.map(HangState.Hang::limitNanos))
                .hasValueSatisfying(limit -> assertThat(limit).isBetween(1200 * MS, 1500 * MS));
    }

    @Test
    void look_oneStepInThousandsWasLong_isNoHangForHalfAsMuchMore() {
        steps(HangLearner.PERCENTILE_ENOUGH + HangLearner.WARM_UP + 1, 400 * MS);
        beats++;
        assertThat(pass(1200 * MS)).isEmpty();
        steps(1, 400 * MS);

        assertThat(pass(1200 * MS)).isEmpty();
        assertThat(pass(1000 * MS)).isPresent();
    }

    @Test
    void look_neverBeaten_isNotJudged() {
        assertThat(pass(3_600_000 * MS)).isEmpty();
    }

    /** As between READY and its first operation. */
    @Test
    void look_stoppedBeforeItsFirstSign_isAHang() {
        assertThat(pass(5000 * MS)).isEmpty();
        isStopped = true;

        assertThat(pass(2700 * MS)).isEmpty();
        Optional<HangState.Hang> hang = pass(600 * MS);

        assertThat(hang.map(HangState.Hang::limitNanos)).contains(3000 * MS);
        assertThat(hang.orElseThrow().words()).startsWith("no progress for 3");
    }

    /** Of a library that looks from the first sign on. */
    @Test
    void look_neverLookedAndNeverBeaten_isNotJudged() {
        isStopped = true;

        assertThat(pass(3_600_000 * MS)).isEmpty();
    }

    @Test
    void look_fewSteps_areNotEnoughToJudge() {
        steps(HangLearner.WARM_UP + HangLearner.ENOUGH - 2, 100 * MS);

        assertThat(pass(3_600_000 * MS)).isEmpty();
    }

    @Test
    void look_longFirstSteps_areNotLearned() {
        steps(3, 100_000 * MS);
        steps(100, 100 * MS);

        assertThat(pass(10_000 * MS)).isPresent();
    }

    @Test
    void look_fastSteps_haveTheFloor() {
        steps(5000, 1 * MS);

        assertThat(pass(900 * MS)).isEmpty();
        assertThat(pass(2500 * MS)).isPresent();
    }

    @Test
    void look_waitsForOthers_isNoHangAsLongAsItReportsIt() {
        steps(100, 100 * MS);
        isStopped = true;
        waits = true;
        for (int second = 0; second < 600; second++) {
            looks++;
            assertThat(pass(1000 * MS)).isEmpty();
        }

        // Stopped while it waited: it does not report it any more.
        assertThat(pass(6000 * MS)).isPresent();
    }

    @Test
    void look_notLookedAtYet_isNotBlamed() {
        isStopped = true;
        enter(1, 500 * MS);

        assertThat(pass(1800 * MS)).isEmpty();
        looks++;
        waits = true;
        assertThat(pass(1000 * MS)).isEmpty();
        looks++;
        waits = false;
        assertThat(pass(POLL)).isPresent();
    }

    @Test
    void look_amongPeersInOtherLibraries_isNoHangAsLongAsItsJvmLooks() {
        isStopped = true;
        peerRound = 5;
        enter(1, 0);
        waits = true;
        for (int second = 0; second < 600; second++) {
            looks++;
            assertThat(pass(1000 * MS)).isEmpty();
        }
        assertThat(pass(2900 * MS)).isEmpty();

        // Nothing was learned yet, and nothing needs to be.
        Optional<HangState.Hang> hang = pass(1200 * MS);

        assertThat(hang.map(HangState.Hang::limitNanos)).contains(4000 * MS);
    }

    @Test
    void look_paused_beginsAnew() {
        steps(100, 100 * MS);
        pass(800 * MS);
        state.warmUp(now);

        assertThat(pass(800 * MS)).isEmpty();
    }

    /** In a storm a round follows the other before its limit is reached. */
    @Test
    void look_stoppedWhileRoundsFollowEachOther_isAHang() {
        steps(100, 100 * MS);
        isStopped = true;
        for (int round = 0; round < 3; round++) {
            assertThat(pass(600 * MS)).isEmpty();
            state.warmUp(now);
        }

        Optional<HangState.Hang> hang = pass(600 * MS);

        assertThat(hang.map(HangState.Hang::stillNanos))
                .hasValueSatisfying(still -> assertThat(still).isBetween(2000 * MS, 2300 * MS));
    }

    @Test
    void look_programStandsStillWhileRoundsFollowEachOther_isNotJudgedWhileItsJvmLooks() {
        steps(100, 100 * MS);
        for (int round = 0; round < 20; round++) {
            assertThat(pass(900 * MS)).isEmpty();
            state.warmUp(now);
        }
    }

    @Test
    void look_stoppedBeforeItsPaceIsKnown_isAHangOneLookLater() {
        steps(3, 100 * MS);
        isStopped = true;

        assertThat(pass(2800 * MS)).isEmpty();
        assertThat(pass(400 * MS)).isPresent();
    }

    @Test
    void look_agentWasStopped_timeDoesNotCount() {
        steps(100, 100 * MS);
        now += 60_000 * MS;
        state.forgive(60_000 * MS);

        assertThat(pass(800 * MS)).isEmpty();
        assertThat(pass(2000 * MS)).isPresent();
    }

    @Test
    void t1_sectionOverItsTime_isAHangAndOtherSectionsAreUntouched() {
        steps(100, 100 * MS);
        enter(1, 30_000 * MS);
        assertThat(pass(29_000 * MS)).isEmpty();
        enter(0, 0);
        enter(2, 5_000 * MS);

        Optional<HangState.Hang> hang = pass(6_000 * MS);

        assertThat(hang.map(found -> found.seen().section().name())).contains("section 2");
        assertThat(hang.map(HangState.Hang::limitNanos)).contains(5_000 * MS);
    }

    @Test
    void t1_sectionIsLearned_fromItsFirstTimeOn() {
        steps(100, 100 * MS);
        enter(1, 0);
        assertThat(pass(600_000 * MS)).isEmpty();
        enter(0, 0);
        steps(10, 100 * MS);
        enter(1, 0);

        assertThat(pass(5_990_000 * MS)).isEmpty();
        assertThat(pass(100_000 * MS)).isPresent();
    }

    @Test
    void t2_sectionEnteredAgain_hasItsFullTimeAgain() {
        for (int i = 0; i < 10; i++) {
            enter(1, 2000 * MS);
            assertThat(pass(1500 * MS)).isEmpty();
        }
    }

    @Test
    void t3_sectionLeft_isNotTimedAnyMore() {
        enter(1, 2000 * MS);
        pass(1000 * MS);
        enter(0, 0);

        assertThat(pass(60_000 * MS)).isEmpty();
    }

    private void steps(int count, long nanos) {
        for (int i = 0; i < count; i++) {
            beats++;
            assertThat(pass(nanos)).isEmpty();
        }
    }

    private void enter(int number, long limitNanos) {
        section = number;
        limit = limitNanos;
        beats++;
    }

    /** Time in which there is no progress; the first hang that is seen in it. */
    private Optional<HangState.Hang> pass(long nanos) {
        long end = now + nanos;
        while (now < end) {
            now = Math.min(end, now - now % POLL + POLL);
            looks += !isStopped && now % (1000 * MS) == 0 ? 1 : 0;
            if (now % POLL == 0) {
                Optional<HangState.Hang> hang = state.look(
                        new Heartbeat.View(
                                beats,
                                looks,
                                true,
                                "main",
                                new Heartbeat.View.Progress(beats, 0, 0),
                                new Heartbeat.View.Section(
                                        section, section == 0 ? "" : "section " + section, limit, waits, peerRound)),
                        now);
                if (hang.isPresent()) {
                    return hang;
                }
            }
        }
        return Optional.empty();
    }
}
