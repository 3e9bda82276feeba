/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.TestRun;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Samples are dealt to a world that loses a worker and a node, and gets others: each is used once in each epoch. */
@Timeout(120)
final class EpochsE2E {
    private static final int EPOCHS = 3;
    private static final List<String> PROGRAM =
            List.of("samples/target/elastic-samples.jar", "epochs", "8000", Integer.toString(EPOCHS), "20");

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    @Tag("slow")
    void workerAndNodeDie_eachSampleIsUsedOnceInEachEpoch() {
        List<String> options = run.onEtcd(
                "--nnodes",
                "1:2",
                "--nproc-per-node",
                "2",
                "--restart-policy",
                "soft",
                "--lease-ttl",
                "10s",
                "--last-call-timeout",
                "60s");
        AgentProcess stumbling = run.agent(options, PROGRAM);
        AgentProcess dying = run.agent(options, PROGRAM);
        long round = run.awaitTogether(4, stumbling, dying);

        Recoveries.killWorker(stumbling);
        // Without the node, then with it again.
        round = run.awaitTogether(round + 1, 4, stumbling, dying);
        Recoveries.killNode(dying);
        run.awaitTogether(round, 2, stumbling);

        assertThat(stumbling.exitCode(TestRun.LIMIT)).as(stumbling::console).isZero();
        List<String> audit = stumbling.workerOutputs().stream()
                .flatMap(String::lines)
                .filter(line -> line.startsWith("epoch "))
                .toList();
        assertThat(audit)
                .hasSize(EPOCHS)
                .allMatch(line -> line.contains(": 8000 samples, 0 missed, 0 used twice, in worlds of ["));
        assertThat(String.join(" ", audit)).contains("2", "4");
    }
}
