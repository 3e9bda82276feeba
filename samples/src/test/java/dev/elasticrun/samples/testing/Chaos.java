/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import dev.elasticrun.testing.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/** Kills workers of a run, whatever its program is: who goes when is drawn from a seed. */
public final class Chaos {
    /** One of so many kills comes without waiting for the recovery from the one before. */
    private static final int HASTY = 4;

    private final long seed;
    private final Random random;
    private final Duration longest;
    private final List<String> done = new ArrayList<>();

    /** @param longest time between two kills, beside the wait for a recovery */
    public Chaos(Duration longest) {
        this.seed = Long.getLong("chaos.seed", System.nanoTime());
        this.random = new Random(seed);
        this.longest = longest;
    }

    /** A number from {@code least} to {@code most}. */
    public int draw(int least, int most) {
        return least + random.nextInt(most - least + 1);
    }

    /** How to have the same again, and what was done so far. */
    @Override
    public String toString() {
        return "-Dchaos.seed=" + seed + " " + done;
    }

    /** Kills random workers of these agents, one after the other. All workers must have begun to work. */
    public void killWorkers(int kills, AgentProcess... agents) {
        long killedNanos = 0;
        for (int kill = 0; kill < kills; kill++) {
            if (random.nextInt(HASTY) > 0) {
                awaitWork(killedNanos, agents);
            }
            Patience.pause(Duration.ofNanos((long) (random.nextDouble() * longest.toNanos())));
            killedNanos = killWorker(agents);
        }
    }

    /** Until somebody has completed an operation in a round that began after that time. */
    private void awaitWork(long nanos, AgentProcess... agents) {
        Patience.until(
                "work after the last kill",
                TestRun.LIMIT,
                () -> slots(agents).anyMatch(slot -> slot.resumedNanos() > nanos),
                () -> this + "; " + Stream.of(agents).map(AgentProcess::console).toList());
    }

    /** When it was killed. */
    private long killWorker(AgentProcess... agents) {
        Patience.until("a worker", TestRun.LIMIT, () -> slots(agents).findAny().isPresent(), this::toString);
        while (true) {
            List<Victim> victims = Stream.of(agents)
                    .flatMap(agent -> agent.log().running().stream().map(slot -> new Victim(agent, slot.pid())))
                    .toList();
            int drawn = random.nextInt(Math.max(1, victims.size()));
            Optional<ProcessHandle> process =
                    victims.stream().skip(drawn).findFirst().flatMap(Victim::process);
            if (process.isPresent() && process.get().destroyForcibly()) {
                done.add("worker " + drawn + " of " + victims.size());
                return System.nanoTime();
            }
            // It had just ended by itself, as those do that one kill takes with it.
        }
    }

    private record Victim(AgentProcess agent, long pid) {
        Optional<ProcessHandle> process() {
            return agent.handle(pid);
        }
    }

    private static Stream<AgentLog.Slot> slots(AgentProcess... agents) {
        return Stream.of(agents).flatMap(agent -> agent.log().running().stream());
    }
}
