/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.tune;

import dev.elasticrun.tune.trial.TrialPhase;
import dev.elasticrun.tune.trial.TrialTable;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The page of a study that runs: written again when something has changed, and not too often. Owned by one thread. */
final class LivePage {
    private static final Logger LOG = LoggerFactory.getLogger(LivePage.class);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Consumer<TrialTable> writer;
    private final LongSupplier clock;
    private State written = new State(0, 0, 0, 0);
    private long writtenNanos;

    /** What a change changes. */
    private record State(int begun, long running, long steps, int moments) {
        static State of(TrialTable table) {
            return new State(
                    table.begun(),
                    table.count(TrialPhase.RUNNING),
                    table.steps(),
                    table.pool().nextNumber());
        }
    }

    /** @param clock nanoseconds, from any origin */
    LivePage(Consumer<TrialTable> writer, LongSupplier clock) {
        this.writer = writer;
        this.clock = clock;
        this.writtenNanos = clock.getAsLong();
    }

    void look(TrialTable table) {
        long now = clock.getAsLong();
        if (now - writtenNanos < PAUSE_NANOS) {
            return;
        }
        State state = State.of(table);
        if (!state.equals(written)) {
            try {
                writer.accept(table);
                written = state;
            } catch (UncheckedIOException e) {
                // The study goes on, and its results are written at its end.
                LOG.warn("the page is not written now: {}: {}", e.getMessage(), String.valueOf(e.getCause()));
            }
            writtenNanos = now;
        }
    }
}
