/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.decisions.DecisionLine;
import dev.elasticrun.rendezvous.plan.PlannerCall;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Many runs under virtual time, each with faults from its seed. In half of them what is recorded of decisions is written,
 * read and decided again, and is the same decision. The diagrams of docs/states.md are what agents did. A failure shows
 * the seed and what happened; {@code -Dsim.seed=N} plays that seed alone, {@code -Dsim.policy=P} that policy alone,
 * {@code -Dsim.seeds=N} that many.
 */
@Tag("once")
final class AgentSimTest {
    private static final int SEEDS = 120;
    /** Of every eighth schedule all decisions are made again: they take longer than the schedule. */
    private static final int REPLAYED = 8;

    @ParameterizedTest
    @MethodSource("policies")
    @Timeout(value = 600, unit = TimeUnit.SECONDS)
    void run_faultsFromManySeeds_keepsItsPromises(String policy) {
        Long only = Long.getLong("sim.seed");
        long from = only == null ? 0 : only;
        long to = only == null ? Integer.getInteger("sim.seeds", SEEDS) : only + 1;
        SeenTransitions seen = new SeenTransitions();
        for (long seed = from; seed < to; seed++) {
            RunSimulation simulation = new RunSimulation(seed, policy);
            assertThat(failure(simulation, seed, policy)).isEmpty();
            if (seed < StatesPage.SEEDS) {
                seen.addAll(simulation.transitions());
            }
        }
        if (from == 0 && to >= StatesPage.SEEDS && StatesPage.shows(policy)) {
            StatesPage.check(policy, seen);
        }
    }

    static List<String> policies() {
        String only = System.getProperty("sim.policy");
        return only == null
                ? List.of("soft", "soft-replace", "soft-replace with spares", "soft-elastic", "hard")
                : List.of(only);
    }

    /** What did not hold, and the trace; empty when all did. */
    static String failure(long seed, String policy) {
        return failure(new RunSimulation(seed, policy), seed, policy);
    }

    private static String failure(RunSimulation simulation, long seed, String policy) {
        try {
            simulation.play();
            if (seed % REPLAYED == 0) {
                simulation.decisions().forEach(AgentSimTest::assertReplays);
            }
            return "";
        } catch (RuntimeException | AssertionError e) {
            return policy + ", seed " + seed + ": " + e + "; replay with -Dsim.seed=" + seed + " -Dsim.policy=" + policy
                    + "\n" + String.join("\n", simulation.trace());
        }
    }

    private static void assertReplays(PlannerCall call) {
        DecisionLine.Stamp stamp = new DecisionLine.Stamp("sim", "i", "a", call.incident(), Instant.EPOCH);
        DecisionLine line = DecisionLine.parse(new DecisionLine(stamp, call).json());
        assertThat(line.call()).isEqualTo(call.withoutOutput());
        assertThat(line.call().again(RunSimulation.policy(call.policy()))).isEqualTo(line.call());
    }
}
