/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.PlainKMeans;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker with its shard dies and is replaced: the result has the same bits as without any fault. */
@Tag("once")
@Timeout(120)
final class KMeansE2E {
    private static final int SHARDS = 4;
    private static final int CLUSTERS = 4;

    @RegisterExtension
    final TestRun run = new TestRun();

    @ParameterizedTest
    @ValueSource(strings = {"soft", "soft-replace"})
    void kmeans_workerKilledAndReplaced_endsWithTheBitsOfAPlainComputation(String policy) {
        AgentProcess steady = start(policy);
        AgentProcess stumbling = start(policy);
        long round = run.awaitTogether(SHARDS, steady, stumbling);
        Patience.until("iteration 3", TestRun.LIMIT, () -> printed(steady, stumbling, "iteration 3 "), steady::console);

        Recoveries.killWorker(stumbling);
        run.awaitTogether(round, SHARDS, steady, stumbling);
        run.hurryUp();

        assertThat(steady.exitCode(TestRun.LIMIT)).as(steady::console).isZero();
        assertThat(stumbling.exitCode(TestRun.LIMIT)).as(stumbling::console).isZero();
        assertThat(lines(steady, stumbling).filter(line -> line.startsWith("inertia ")))
                .containsExactly(PlainKMeans.lastLine(SHARDS, CLUSTERS));
        assertThat(lines(steady, stumbling).filter(line -> line.contains(" without shards ")))
                .isEmpty();
    }

    private AgentProcess start(String policy) {
        List<String> options = run.onEtcd(
                "--nnodes",
                "2",
                "--nproc-per-node",
                "2",
                "--restart-policy",
                policy,
                "--replacement-wait",
                "60s",
                "--lease-ttl",
                "10s");
        return run.agent(
                options,
                List.of(
                        "samples/target/elastic-samples.jar",
                        "kmeans",
                        "--data",
                        "samples/data/breast-cancer.csv",
                        "--label",
                        "last",
                        "--header",
                        "--clusters",
                        Integer.toString(CLUSTERS),
                        "--step-millis",
                        "200",
                        "--hurry",
                        run.directory().resolve("hurry").toString()));
    }

    private static boolean printed(AgentProcess one, AgentProcess other, String start) {
        return lines(one, other).anyMatch(line -> line.startsWith(start));
    }

    private static Stream<String> lines(AgentProcess one, AgentProcess other) {
        return Stream.of(one, other)
                .flatMap(agent -> agent.workerOutputs().stream())
                .flatMap(String::lines);
    }
}
