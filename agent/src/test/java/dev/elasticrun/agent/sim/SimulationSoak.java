/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** For as long as it is asked: {@code ./mvnw test -Psoak -pl agent -am -Dsim.minutes=60}, see docs/simulation.md. */
final class SimulationSoak {
    private static final int KEPT_FAILURES = 20;

    private final long endNanos = System.nanoTime()
            + Duration.ofMinutes(Integer.getInteger("sim.minutes", 10)).toNanos();
    private final long endSeed = Long.getLong("sim.from", 1_000_000) + Long.getLong("sim.seeds", Long.MAX_VALUE / 2);
    private final AtomicLong nextSeed = new AtomicLong(Long.getLong("sim.from", 1_000_000));
    private final AtomicLong played = new AtomicLong();
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();

    @Test
    void run_seedsForAsLongAsAsked_keepsItsPromises() throws InterruptedException {
        long startNanos = System.nanoTime();
        List<Thread> players = new ArrayList<>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            Thread player = new Thread(this::play, "soak-" + i);
            players.add(player);
            player.start();
        }
        for (Thread player : players) {
            player.join();
        }
        double hours = (System.nanoTime() - startNanos) / 3.6e12;
        System.out.printf(
                Locale.ROOT,
                "%d schedules in %.2f h, %.0f per hour, %d failed%n",
                played.get(),
                hours,
                played.get() / hours,
                failures.size());
        assertThat(failures).isEmpty();
    }

    private void play() {
        while (System.nanoTime() - endNanos < 0 && failures.size() < KEPT_FAILURES) {
            long seed = nextSeed.getAndIncrement();
            if (seed >= endSeed) {
                return;
            }
            for (String policy : AgentSimTest.policies()) {
                String failure = AgentSimTest.failure(seed, policy);
                played.incrementAndGet();
                if (!failure.isEmpty()) {
                    failures.add(failure);
                }
            }
        }
    }
}
