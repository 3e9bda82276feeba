/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.collective.ElementType;
import dev.elasticrun.worker.contract.Daemons;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two ranks show each other values as {@link SharedStage} does, without the operation around it: each writes into the
 * tick's slot, raises its signal, waits for the other's, and reads. What was seen is counted by kind.
 */
@Timeout(60)
final class SharedAreaStressTest {
    private static final long TICKS = Long.getLong("stress.ticks", 300_000);
    private static final int VALUES = 8;
    private static final int SPINS = 200;

    @TempDir
    private Path directory;

    /** What one rank read in one tick. */
    private enum Outcome {
        /** The values of this tick; the peer is still in it. */
        IN_STEP,
        /** The values of this tick; the peer has gone on. */
        PEER_AHEAD,
        /** Older values than the signal states. */
        STALE,
        /** Values of a later tick: the peer did not wait for its reader. */
        OVERWRITTEN
    }

    @Test
    void show_thenRead_seesTheValuesOfThisTick() throws Exception {
        List<Path> files = List.of(directory.resolve("0"), directory.resolve("1"));
        List<SharedArea> own = List.of(SharedArea.create(files.get(0), 1), SharedArea.create(files.get(1), 2));
        List<SharedArea> others = List.of(SharedArea.open(files.get(1), 2), SharedArea.open(files.get(0), 1));
        CompletableFuture<Map<Outcome, Long>> second = CompletableFuture.supplyAsync(
                () -> play(own.get(1), others.get(1)), task -> Daemons.start("stress-rank", task));
        Map<Outcome, Long> first = play(own.get(0), others.get(0));
        System.out.println("shared area: " + first + " and " + second.get());
        for (Map<Outcome, Long> seen : List.of(first, second.get())) {
            assertThat(seen).containsOnlyKeys(Outcome.IN_STEP, Outcome.PEER_AHEAD);
            assertThat(seen.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(TICKS);
        }
    }

    @SuppressWarnings("ThreadPriorityCheck")
    private static Map<Outcome, Long> play(SharedArea mine, SharedArea other) {
        Map<Outcome, Long> seen = new EnumMap<>(Outcome.class);
        seen.put(Outcome.IN_STEP, 0L);
        seen.put(Outcome.PEER_AHEAD, 0L);
        long[] values = new long[VALUES];
        for (long tick = 1; tick <= TICKS; tick++) {
            int at = SharedArea.values((int) (tick & (SharedArea.SLOTS - 1)));
            Arrays.fill(values, tick);
            mine.slots().put(ElementType.LONG, at, values, 0, VALUES);
            mine.signal(tick);
            long signal = other.signal();
            for (int look = 0; signal < tick; look++) {
                if (look % SPINS == SPINS - 1) {
                    Thread.yield();
                } else {
                    Thread.onSpinWait();
                }
                signal = other.signal();
            }
            other.slots().get(ElementType.LONG, at, values, 0, VALUES);
            seen.merge(outcome(tick, signal, values), 1L, Long::sum);
        }
        return seen;
    }

    private static Outcome outcome(long tick, long signal, long[] values) {
        for (long value : values) {
            if (value != tick) {
                return value < tick ? Outcome.STALE : Outcome.OVERWRITTEN;
            }
        }
        return signal == tick ? Outcome.IN_STEP : Outcome.PEER_AHEAD;
    }
}
