/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
final class XgboostTrainOptionsTest {
    private static final Map<String, String> SECOND_OF_TWO = Map.of("LOCAL_RANK", "1", "LOCAL_WORLD_SIZE", "2");

    @Test
    void parse_nothingButData_isAModestTraining() {
        XgboostTrainOptions options = parse("--data x.libsvm");

        assertThat(options.rounds()).isEqualTo(100);
        assertThat(options.parameters())
                .containsOnly(
                        Map.entry("objective", "binary:logistic"),
                        Map.entry("tree_method", "hist"),
                        Map.entry("nthread", "1"));
        assertThat(options.evaluation()).isNull();
        assertThat(options.isRepartitioned()).isFalse();
        assertThat(options.shards()).isZero();
        assertThat(options.preload()).isEqualTo(-1);
        assertThat(options.timeout()).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void parse_everyOption_isRead() {
        XgboostTrainOptions options = parse("--data a.csv --label last --eval b.csv --rounds 30 --param max_depth=8"
                + " --param=nthread=2 --early-stopping 5 --checkpoint-every 2 --shards fixed:4 --node-index 1 --timeout 9"
                + " --model-out m.json --round-millis 60 --load-millis 4000 --hurry now --report-every 1");

        assertThat(options.data().file()).isEqualTo(Path.of("a.csv"));
        assertThat(options.evaluation())
                .isEqualTo(new RowFile(Path.of("b.csv"), options.data().format(), 0));
        assertThat(options.parameters()).containsEntry("max_depth", "8").containsEntry("nthread", "2");
        assertThat(options.earlyStopping()).isEqualTo(5);
        assertThat(options.checkpointEvery()).isEqualTo(2);
        assertThat(options.shards()).isEqualTo(4);
        assertThat(options.preload()).isEqualTo(3);
        assertThat(options.timeout()).isEqualTo(Duration.ofSeconds(9));
        assertThat(options.modelOut()).isEqualTo(Path.of("m.json"));
        assertThat(options.pace())
                .isEqualTo(new XgboostTrainOptions.Pace(
                        Duration.ofMillis(60), Duration.ofMillis(4000), Path.of("now"), 1));
    }

    @Test
    void parse_nodeOfAScheduler_reportsWhichPartToLoad() {
        List<String> arguments = List.of("--data", "x", "--shards", "fixed:4");

        assertThat(XgboostTrainOptions.parse(arguments, with("SLURM_NODEID", "0"))
                        .preload())
                .isOne();
        assertThat(XgboostTrainOptions.parse(arguments, with("JOB_COMPLETION_INDEX", "1"))
                        .preload())
                .isEqualTo(3);
        assertThat(XgboostTrainOptions.parse(arguments, with("SLURM_NODEID", "2"))
                        .preload())
                .as("a worker more than parts")
                .isEqualTo(-1);
        assertThat(XgboostTrainOptions.parse(arguments, Map.of("SLURM_NODEID", "1"))
                        .preload())
                .as("not started by elastic-run")
                .isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            --rounds 5;                    --data: missing
            --data x --rounds 0;           --rounds: 0 (expected: a whole number from 1 to 2147483647)
            --data x --param eta;          --param: 'eta' (expected: NAME=VALUE, as max_depth=8)
            --data x --param =1;           --param: '=1' (expected: NAME=VALUE, as max_depth=8)
            --data x --shards fixed:0;     --shards: fixed:0 (expected: fixed, fixed:N with N from 1, or repartition)
            --data x --shards some;        --shards: some (expected: fixed, fixed:N with N from 1, or repartition)
            --data x --hold-out 1;         --hold-out: 1 (expected: 0 for none, or at least 2: one of so many rows)
            --data x --round 5;            xgboost-train: --round (expected: xgboost-train --data FILE
            """)
    void parse_somethingElse_namesValueAndExpectation(String arguments, String message) {
        assertThatThrownBy(() -> parse(arguments))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(message);
    }

    private static Map<String, String> with(String name, String value) {
        Map<String, String> environment = new HashMap<>(SECOND_OF_TWO);
        environment.put(name, value);
        return environment;
    }

    private static XgboostTrainOptions parse(String arguments) {
        return XgboostTrainOptions.parse(List.of(arguments.split(" ")), SECOND_OF_TWO);
    }
}
