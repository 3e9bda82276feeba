/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules are broken one at a time; the simulator must notice each within so many seeds. */
@Tag("once")
final class SimulationBitesTest {
    private static final int CONTROL_SEEDS = 10;

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {
                "A_MASTER_ENDPOINT_IS_USED_ONCE",
                "A_STOPPED_AGENT_JUDGES_NOBODY",
                "THERE_IS_ONE_VERDICT",
                "WHO_DOES_NOT_ACKNOWLEDGE_IS_REPLACED"
            })
    @Timeout(value = 600, unit = TimeUnit.SECONDS)
    void run_withABrokenRule_isCaught(BrokenRule rule) throws Exception {
        requireCaught(rule);
    }

    /** Those that need the most seeds. */
    @Tag("soak")
    @ParameterizedTest
    @EnumSource(
            names = {
                "A_MASTER_ENDPOINT_IS_USED_ONCE",
                "A_STOPPED_AGENT_JUDGES_NOBODY",
                "THERE_IS_ONE_VERDICT",
                "WHO_DOES_NOT_ACKNOWLEDGE_IS_REPLACED"
            })
    @Timeout(value = 600, unit = TimeUnit.SECONDS)
    void run_withARuleBrokenThatIsSeldomSeen_isCaught(BrokenRule rule) throws Exception {
        requireCaught(rule);
    }

    private static void requireCaught(BrokenRule rule) throws Exception {
        String caught = firstFailure(rule.mutant(), rule.policy(), rule.seeds());
        assertThat(caught).as("what the simulator says of %s", rule).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"soft", "soft-replace", "hard"})
    @Timeout(value = 600, unit = TimeUnit.SECONDS)
    void run_withNoRuleBroken_isNotCaught(String policy) throws Exception {
        assertThat(firstFailure(Mutant.none(), policy, LongStream.range(0, CONTROL_SEEDS)))
                .isEmpty();
    }

    /** What the first seed that fails says; empty when none does. */
    static String firstFailure(Mutant mutant, String policy, LongStream seeds) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(mutant);
        try {
            Class<?> simulation = mutant.loadClass(RunSimulation.class.getName());
            for (long seed : seeds.toArray()) {
                Object run = simulation.getConstructor(long.class, String.class).newInstance(seed, policy);
                try {
                    simulation.getMethod("play").invoke(run);
                } catch (InvocationTargetException e) {
                    return "seed " + seed + ": " + e.getCause();
                }
            }
            return "";
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
