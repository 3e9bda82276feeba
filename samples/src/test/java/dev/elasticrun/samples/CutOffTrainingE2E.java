/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.elasticrun.testing.ElasticRun;
import dev.elasticrun.testing.ElasticRunTest;
import dev.elasticrun.testing.RunResult;
import dev.elasticrun.testing.TestHost;
import dev.elasticrun.testing.TestNetwork;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;

/** How a program is tested on hosts of its own with elastic-run-testing; docs/testing-your-program.md shows it. */
@Tag("once")
final class CutOffTrainingE2E {
    private static final Pattern LOSS = Pattern.compile("; loss ([0-9.]+);");
    private static final String[] TRAIN = {
        "train", "--data", "data/breast-cancer.csv", "--steps", "400", "--report-every", "10"
    };

    @ElasticRunTest(
            nodes = 2,
            workersPerNode = 1,
            flags = {"--lease-ttl", "2s"})
    void train_aHostIsCutOff_theOtherGoesOnAndItComesBack(ElasticRun run) {
        TestNetwork network = run.network();
        run.start(Main.class, TRAIN);
        run.awaitWorld(2);
        run.awaitStep(10);

        TestHost host = network.host(2);
        host.cut();
        run.awaitWorld(1);
        host.heal();
        run.awaitWorld(2);

        RunResult result = run.awaitEnd(Duration.ofSeconds(60));
        assertThat(result.exitCode()).isZero();
        assertThat(result.output(0)).contains("steps 400;");
        assertThat(loss(result.output(0))).isEqualTo(FaultFree.loss(400), within(1e-6));
    }

    private static double loss(String output) {
        Matcher found = LOSS.matcher(output);
        assertThat(found.find()).as(output).isTrue();
        return Double.parseDouble(found.group(1));
    }
}
