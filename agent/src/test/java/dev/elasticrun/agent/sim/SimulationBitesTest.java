/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Rules are broken one at a time; the simulator must notice each within so many seeds, and report nothing of the same seed
 * when the rule holds.
 *
 * <p>Each rule begins with a seed that shows it. When the rules or the simulator change, another seed may be needed: the
 * test goes on with all others, and prints the one that it found. {@code -Dleft.out=none -Dsim.rule=NAME} lists those
 * of the first seeds that show it, without {@code sim.rule} those of every rule. For rules that few seeds show, {@code
 * sim.from} is where the search begins, and {@code sim.seeds} how many seeds it tries.
 */
@Tag("slow")
final class SimulationBitesTest {
    private static final int LISTED = 5;
    private static final String SEARCH = "./mvnw test -pl agent -am -Dtest='SimulationBitesTest#seeds*'"
            + " -Dleft.out=none -Dsurefire.failIfNoSpecifiedTests=false -Dsim.rule=";

    /** The product with all its rules, loaded as one with a broken rule is. */
    private static final Mutant UNBROKEN = Mutant.none();

    /**
     * @param steps how many events it took
     * @param problem what the simulator reported
     */
    private record Caught(long seed, long steps, String problem) {}

    @ParameterizedTest
    @EnumSource
    @Timeout(value = 600, unit = TimeUnit.SECONDS)
    void run_withABrokenRule_isCaught(BrokenRule rule) throws Exception {
        List<Caught> caught = caught(rule, rule.seeds(), 1);

        assertThat(caught)
                .as("no seed below %d shows %s; is it still a rule? Try %s%s", BrokenRule.SEEDS, rule, SEARCH, rule)
                .hasSize(1);
        if (caught.get(0).seed() != rule.firstSeed()) {
            System.out.printf(
                    "%s: seed %d does not show it any more, but %d does; for those that need few events: %s%s%n",
                    rule, rule.firstSeed(), caught.get(0).seed(), SEARCH, rule);
        }
    }

    /** To choose first seeds. */
    @Tag("soak")
    @ParameterizedTest
    @MethodSource("chosen")
    @Timeout(value = 600, unit = TimeUnit.SECONDS)
    void seeds_fromTheFirst_someShowTheBrokenRule(BrokenRule rule) throws Exception {
        long from = Long.getLong("sim.from", 0);
        long count = Long.getLong("sim.seeds", BrokenRule.SEEDS);

        List<Caught> caught = caught(rule, LongStream.range(from, from + count), LISTED);

        caught.forEach(
                one -> System.out.printf("%s: seed %d, %d events: %s%n", rule, one.seed(), one.steps(), one.problem()));
        assertThat(caught).isNotEmpty();
    }

    static List<BrokenRule> chosen() {
        String only = System.getProperty("sim.rule");
        return only == null ? List.of(BrokenRule.values()) : List.of(BrokenRule.valueOf(only));
    }

    /** The first of these seeds that show the rule, and hold without the mutation; at most {@code limit}. */
    private static List<Caught> caught(BrokenRule rule, LongStream seeds, int limit) throws Exception {
        Mutant mutant = rule.mutant();
        List<Caught> caught = new ArrayList<>();
        for (long seed : seeds.toArray()) {
            Caught broken = play(mutant, seed, rule.policy());
            if (!broken.problem().isEmpty()
                    && play(UNBROKEN, seed, rule.policy()).problem().isEmpty()) {
                caught.add(broken);
            }
            if (caught.size() == limit) {
                break;
            }
        }
        return caught;
    }

    private static Caught play(Mutant product, long seed, String policy) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(product);
        try {
            Class<?> simulation = product.loadClass(RunSimulation.class.getName());
            Object run = simulation.getConstructor(long.class, String.class).newInstance(seed, policy);
            String problem = "";
            try {
                simulation.getMethod("play").invoke(run);
            } catch (InvocationTargetException e) {
                problem = String.valueOf(e.getCause());
            }
            return new Caught(seed, (long) simulation.getMethod("steps").invoke(run), problem);
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
