/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.hang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.contract.Heartbeat;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When a process is stopped for too long, in a time that the test makes. */
final class StopStateTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final StopState state = new StopState(1000 * MS);
    private long beats = 7;

    @Test
    void look_stoppedForTheLimit_isAHang() {
        assertThat(look(true, 100)).isEmpty();
        assertThat(look(true, 1000)).isEmpty();

        Optional<HangState.Hang> hang = look(true, 1100);

        assertThat(hang.map(HangState.Hang::stillNanos)).contains(1000 * MS);
        assertThat(hang.orElseThrow().words())
                .startsWith("no progress for 1.0 s")
                .contains("(limit 1.0 s)");
    }

    @Test
    void look_continuedMeanwhile_beginsAnew() {
        look(true, 0);
        look(false, 800);
        assertThat(look(true, 1000)).isEmpty();
        assertThat(look(true, 1900)).isEmpty();

        assertThat(look(true, 2000)).isPresent();
    }

    @Test
    void look_progressBetweenTwoStops_beginsAnew() {
        look(true, 0);
        beats++;
        assertThat(look(true, 1000)).isEmpty();

        assertThat(look(true, 1900)).isEmpty();
    }

    @Test
    void forgive_timeInWhichNobodyLooked_doesNotCount() {
        look(true, 0);
        state.forgive(60_000 * MS);

        assertThat(look(true, 60_900)).isEmpty();
        assertThat(look(true, 61_000)).isPresent();
    }

    @Test
    void look_neverStopped_isNoHang() {
        for (int second = 0; second < 100; second++) {
            assertThat(look(false, second * 1000L)).isEmpty();
        }
    }

    private Optional<HangState.Hang> look(boolean isStopped, long millis) {
        return state.look(
                new Heartbeat.View(
                        beats,
                        0,
                        true,
                        "main",
                        new Heartbeat.View.Progress(beats, 0, 0),
                        new Heartbeat.View.Section(0, "", 0, false, 0)),
                isStopped,
                millis * MS);
    }
}
