/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TrainOptionsTest {
    @Test
    void lastsAboutEightSecondsByDefault() {
        TrainOptions options = parse("--data x.csv");

        assertThat(options).isEqualTo(new TrainOptions(Path.of("x.csv"), 400, Duration.ofMillis(20), null, 0.5, 40, 0));
        assertThat(options.stepTime().multipliedBy(options.steps())).isEqualTo(Duration.ofSeconds(8));
    }

    @Test
    void readsEveryOption() {
        assertThat(parse("--data=x.csv --steps 150 --step-millis=0 --hurry now --learning-rate 0.1 --report-every 10"
                        + " --state-mib 64"))
                .isEqualTo(new TrainOptions(Path.of("x.csv"), 150, Duration.ZERO, Path.of("now"), 0.1, 10, 64));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            --steps 1;                      --data: missing
            --data;                         --data: nothing (expected: a value after it)
            --data x --steps;               --steps: nothing (expected: a value after it)
            --data x --steps 0;             --steps: 0 (expected: a whole number from 1 to 2147483647)
            --data x --steps many;          --steps: many (expected: a whole number from 1 to 2147483647)
            --data x --steps 99999999999;   --steps: 99999999999 (expected: a whole number from 1 to 2147483647)
            --data x --step-millis -1;      --step-millis: -1 (expected: a whole number from 0 to 2147483647)
            --data x --learning-rate 0;     --learning-rate: 0 (expected: a number greater than 0)
            --data x --learning-rate NaN;   --learning-rate: NaN (expected: a number greater than 0)
            --data x --report-every 0;      --report-every: 0 (expected: a whole number from 1 to 2147483647)
            --data x --state-mib -1;        --state-mib: -1 (expected: a whole number from 0 to 2147483647)
            --data x --stepps 3;            train: --stepps (expected: train --data FILE
            x.csv;                          train: x.csv (expected: train --data FILE
            """)
    void namesValueAndExpectation(String arguments, String message) {
        assertThatThrownBy(() -> parse(arguments))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(message);
    }

    private static TrainOptions parse(String arguments) {
        return TrainOptions.parse(List.of(arguments.split(" ")));
    }
}
