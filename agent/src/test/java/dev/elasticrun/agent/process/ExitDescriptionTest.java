/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExitDescriptionTest {
    @ParameterizedTest
    @CsvSource({
        "0, exit code 0",
        "3, exit code 3",
        "128, exit code 128",
        "137, killed by SIGKILL (9)",
        "143, killed by SIGTERM (15)",
        "139, killed by SIGSEGV (11)",
        "162, killed by SIGRTMIN+0 (34)",
        "145, exit code 145",
        "255, exit code 255"
    })
    void describe_exitCode_reportsWhatItMeans(int code, String expected) {
        assertThat(ExitDescription.describe(code)).isEqualTo(expected);
    }
}
