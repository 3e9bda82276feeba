/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.hang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.contract.Heartbeat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class KillSequenceTest {
    private static final long GRACE = 3000;
    private static final Map.Entry<String, StragglerState.Straggler> WAITING =
            straggler("waiting", StragglerState.EventLoop.THERE, 100);
    private static final Map.Entry<String, StragglerState.Straggler> UNKNOWN =
            straggler("unknown", StragglerState.EventLoop.NEVER_SEEN, 200);
    private static final Map.Entry<String, StragglerState.Straggler> HUNG =
            straggler("hung", StragglerState.EventLoop.GONE, 300);

    private final KillSequence<String> sequence = new KillSequence<>(GRACE);

    @Test
    void next_oneWithoutItsEventLoop_isFirst() {
        assertThat(next(1000, List.of(WAITING, UNKNOWN, HUNG))).contains("hung");
        assertThat(next(1000, List.of(UNKNOWN, WAITING))).contains("waiting");
        assertThat(next(1000, List.of())).isEmpty();
    }

    @Test
    void next_anotherWasKilled_waitsForItsEndAndAGraceTimeMore() {
        sequence.killed("hung");
        assertThat(next(1_000_000, List.of(WAITING))).isEmpty();

        sequence.gone("waiting", 1_000_000);
        assertThat(next(1_100_000, List.of(UNKNOWN))).isEmpty();
        sequence.gone("hung", 1_100_000);

        assertThat(next(1_100_000 + GRACE - 1, List.of(UNKNOWN))).isEmpty();
        assertThat(next(1_100_000 + GRACE, List.of(UNKNOWN))).contains("unknown");
    }

    @Test
    void next_anotherCameOutInTime_doesNotWait() {
        assertThat(next(1000, List.of(HUNG))).contains("hung");
        assertThat(next(1001, List.of(WAITING))).contains("waiting");
    }

    private Optional<String> next(long nowNanos, List<Map.Entry<String, StragglerState.Straggler>> due) {
        return sequence.next(due, nowNanos).map(Map.Entry::getKey);
    }

    private static Map.Entry<String, StragglerState.Straggler> straggler(
            String name, StragglerState.EventLoop eventLoop, long dueNanos) {
        Heartbeat.View seen = new Heartbeat.View(
                1,
                0,
                true,
                "main",
                new Heartbeat.View.Progress(0, 0, 0),
                new Heartbeat.View.Section(1, "boost", 0, true, 5));
        return Map.entry(name, new StragglerState.Straggler(seen, 5, GRACE, GRACE, 0, eventLoop, dueNanos));
    }
}
