/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.contract.PauseKind;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerInfo;
import dev.elasticrun.worker.contract.WorkerState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class WarmupTest {
    private static final int LONG = 600;

    private final List<String> rehearsed = new ArrayList<>();
    private final List<String> practised = new ArrayList<>();
    private final Warmup warmup = new Warmup(
            incarnation -> {
                rehearsed.add(incarnation);
                return new Thread(() -> {}, "none");
            },
            practised::add);

    @Test
    void tick_othersWorkAndItStandsBy_rehearsesOnceAfterAWhile() {
        tick(paused(), 0, 0);
        tick(paused(), 0, LONG);
        assertThat(rehearsed).as("nobody works yet").isEmpty();

        tick(paused(), 1, LONG);
        tick(paused(), 1, LONG + 1);
        assertThat(rehearsed).as("the others have just begun").isEmpty();
        tick(paused(), 1, LONG + 3);
        tick(paused(), 2, 2 * LONG);

        assertThat(rehearsed).containsExactly("i");
        assertThat(practised).containsExactly("i");
    }

    @Test
    void tick_itIsNewAndStandsBy_practisesWhatItHasRehearsed() {
        warmup.now("i");
        tick(paused(), 3, 0);
        tick(paused(), 3, 2);
        assertThat(practised).isEmpty();

        tick(paused(), 3, 3);
        tick(paused(), 4, 4);

        assertThat(rehearsed).containsExactly("i");
        assertThat(practised).containsExactly("i");
    }

    @Test
    void tick_itHasWorkedAndIsPaused_doesNotPractise() {
        warmup.began(1, 0);
        tick(work(), 1, 3);

        tick(paused(), 1, LONG);
        tick(paused(), 1, LONG + 3);

        assertThat(rehearsed).containsExactly("i");
        assertThat(practised).isEmpty();
    }

    @Test
    void tick_itJoinsBeforeItHasRehearsed_rehearsesAfterItsFirstSteps() {
        tick(paused(), 1, 0);
        warmup.began(1, TimeUnit.SECONDS.toNanos(1));
        tick(work(), 2, 2);
        tick(work(), 2, 3);
        assertThat(rehearsed).isEmpty();

        tick(work(), 2, 4);

        assertThat(rehearsed).containsExactly("i");
        assertThat(practised).isEmpty();
    }

    @Test
    void tick_aChangeCameFirst_doesNotRehearse() {
        warmup.began(1, 0);
        warmup.began(1, TimeUnit.SECONDS.toNanos(1));

        tick(work(), 2, LONG);

        assertThat(rehearsed).isEmpty();
    }

    private void tick(WorkerEvent newest, long roundOfOthers, long seconds) {
        warmup.tick(newest, roundOfOthers, TimeUnit.SECONDS.toNanos(seconds));
    }

    private static WorkerEvent paused() {
        return event(WorkerState.PAUSED, null);
    }

    private static WorkerEvent work() {
        WorkerInfo.Place only = new WorkerInfo.Place(0, 1);
        WorkerInfo.Ranks ranks = new WorkerInfo.Ranks(only, only, only, only);
        return event(
                WorkerState.HEALTHY,
                new WorkerInfo(1, 1, ranks, "default", new WorkerInfo.Master("host", 29500), Map.of()));
    }

    private static WorkerEvent event(WorkerState state, @Nullable WorkerInfo info) {
        PauseKind pause = state == WorkerState.PAUSED ? PauseKind.CHANGE : null;
        return new WorkerEvent(
                1,
                Instant.EPOCH,
                new WorkerEvent.RoundId("run", "i", 0, 0),
                new WorkerEvent.Change(state, null, pause, "start"),
                info,
                0);
    }
}
