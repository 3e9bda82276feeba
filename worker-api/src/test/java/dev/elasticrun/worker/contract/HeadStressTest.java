/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * One thread publishes as fast as it can, another looks, each through a map of its own, as agent and worker do. What was
 * seen is counted by kind; some kinds must never occur.
 */
@Timeout(60)
final class HeadStressTest {
    private static final long EVENTS = Long.getLong("stress.events", 3_000_000);

    @TempDir
    private Path directory;

    /** What one look at the head saw. */
    private enum Outcome {
        /** All of one event. */
        WHOLE,
        /** The number of one event, and round or state of a later one: allowed, the file has what happened. */
        AHEAD,
        /** The number of an event without its round. */
        ROUND_MISSING,
        /** The number of an event without its state. */
        STATE_MISSING,
        /** An older number than before. */
        BACKWARDS
    }

    @Test
    void look_whileEventsArePublished_seesAtLeastWhatWasPublishedWithTheNumber() throws Exception {
        Path file = directory.resolve("head");
        try (Head writer = Head.create(file);
                Head reader = Head.open(file)) {
            Thread agent = Daemons.start("stress-agent", () -> {
                for (long event = 1; event <= EVENTS; event++) {
                    writer.publish(event, event, state(event));
                }
            });
            Map<Outcome, Long> seen = look(reader);
            agent.join();
            System.out.println("head: " + seen);
            assertThat(seen).containsOnlyKeys(Outcome.WHOLE, Outcome.AHEAD);
        }
    }

    /** PAUSED in the first half, HEALTHY in the second: a number of the second half comes with HEALTHY. */
    private static WorkerState state(long event) {
        return event > EVENTS / 2 ? WorkerState.HEALTHY : WorkerState.PAUSED;
    }

    private static Map<Outcome, Long> look(Head reader) {
        Map<Outcome, Long> seen = new EnumMap<>(Outcome.class);
        seen.put(Outcome.WHOLE, 0L);
        seen.put(Outcome.AHEAD, 0L);
        for (long last = 0; last < EVENTS; ) {
            long seq = reader.seq();
            long round = reader.round();
            WorkerState state = reader.state();
            seen.merge(outcome(last, seq, round, state), 1L, Long::sum);
            last = seq;
        }
        return seen;
    }

    private static Outcome outcome(long last, long seq, long round, WorkerState state) {
        if (seq < last) {
            return Outcome.BACKWARDS;
        } else if (round < seq) {
            return Outcome.ROUND_MISSING;
        } else if (state(seq) == WorkerState.HEALTHY && state == WorkerState.PAUSED) {
            return Outcome.STATE_MISSING;
        } else {
            return round == seq ? Outcome.WHOLE : Outcome.AHEAD;
        }
    }
}
