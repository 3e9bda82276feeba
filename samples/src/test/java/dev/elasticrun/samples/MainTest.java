/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MainTest {
    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            ``;                program: none (expected: hello, all-reduce, train, epochs, kmeans, xgboost-train, trial-curve)
            trian --steps 1;   program: trian (expected: hello, all-reduce, train, epochs, kmeans, xgboost-train, trial-curve)
            hello world;       hello: world (expected: no arguments)
            all-reduce 5;      all-reduce: 5 (expected: no arguments)
            epochs 9 1 0 5;    epochs: 5 (expected: epochs [SAMPLES [EPOCHS [STEP_MILLIS]]])
            epochs 0;          epochs: 0 (expected: epochs [SAMPLES [EPOCHS [STEP_MILLIS]]], whole numbers)
            epochs ten;        epochs: ten (expected: epochs [SAMPLES [EPOCHS [STEP_MILLIS]]], whole numbers)
            hello;             not started by elastic-run (expected: elastic-run --standalone --nproc-per-node 2
            """)
    void namesValueAndExpectation(String arguments, String message) {
        List<String> split = arguments.isEmpty() ? List.of() : List.of(arguments.split(" "));

        assertThatThrownBy(() -> Main.run(split))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(message);
    }
}
