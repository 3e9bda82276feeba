/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many runs under virtual time, each with faults from its seed. A failure shows the seed and what happened; {@code
 * -Dsim.seed=N} plays that seed alone, {@code -Dsim.seeds=N} that many.
 */
final class AgentSimTest {
    private static final int SEEDS = 250;

    @ParameterizedTest
    @ValueSource(strings = {"soft", "soft-replace", "hard"})
    @Timeout(value = 300, unit = TimeUnit.SECONDS)
    void run_faultsFromManySeeds_keepsItsPromises(String policy) {
        Long only = Long.getLong("sim.seed");
        if (only != null) {
            play(only, policy);
            return;
        }
        int seeds = Integer.getInteger("sim.seeds", SEEDS);
        for (long seed = 0; seed < seeds; seed++) {
            play(seed, policy);
        }
    }

    private static void play(long seed, String policy) {
        RunSimulation simulation = new RunSimulation(seed, policy);
        try {
            simulation.play();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(
                    policy + ", seed " + seed + ": " + e.getMessage() + "; replay with -Dsim.seed=" + seed + "\n"
                            + String.join("\n", simulation.trace()),
                    e);
        }
    }
}
