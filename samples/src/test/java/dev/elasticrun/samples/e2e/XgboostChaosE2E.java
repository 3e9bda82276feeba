/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Chaos;
import dev.elasticrun.samples.testing.TestRun;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Workers are killed at random instants while XGBoost trains, also while a group is formed and while others are replaced.
 * {@code -Dchaos.seed=N} draws the same again, {@code -Dchaos.runs=N} sets how often the long test is done.
 */
@Timeout(600)
final class XgboostChaosE2E {
    private final Chaos chaos = new Chaos(Duration.ofMillis(500));

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    @Tag("slow")
    void threeKills_endWithTheSameModel() {
        kill(3, 60, "soft-replace");
    }

    @ParameterizedTest
    @Tag("soak")
    @MethodSource("runs")
    void twelveKills_endWithTheSameModel(int number) {
        System.out.println("run " + number);
        kill(12, 300, chaos.draw(0, 1) == 0 ? "soft-replace" : "soft");
    }

    static IntStream runs() {
        return IntStream.rangeClosed(1, Integer.getInteger("chaos.runs", 20));
    }

    private void kill(int kills, int rounds, String policy) {
        System.out.println(chaos + " " + policy);
        XgboostRuns training = new XgboostRuns(run, rounds, 2, 2, policy, "--straggler-timeout", "2s");
        AgentProcess[] agents = training.startAll();
        training.awaitBoosted(1, 0, agents);

        chaos.killWorkers(kills, agents);
        training.assertAsIfNothingHadHappened(agents);
        System.out.println(chaos + " hung in native code: " + hangs(agents));
    }

    private static List<String> hangs(AgentProcess... agents) {
        return Stream.of(agents)
                .flatMap(agent -> agent.log().all("worker.failed").stream())
                .map(event -> event.text("message"))
                .filter(message -> message.startsWith("hang: "))
                .toList();
    }
}
