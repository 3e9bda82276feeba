/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.cli.options.UsageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JobNameTest {
    @ParameterizedTest
    @CsvSource({
        "/opt/app/Train Model_2.jar, train-model-2",
        "train.py, train",
        "a.b.c, a-b-c",
        "--, job",
        "ä, job",
        "0123456789012345678901234567890123456789012345678-x, 0123456789012345678901234567890123456789012345678",
    })
    void ofProgram_isANameForAllSchedulers(String program, String expected) {
        assertThat(JobName.checked(JobName.ofProgram(program))).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-a", "a-", "A", "a_b", "a b"})
    void checked_otherNames_areRefused(String name) {
        assertThatThrownBy(() -> JobName.checked(name))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("--job-name: '" + name + "' (expected: lower-case letters");
    }

    @Test
    void checked_longest_isFifty() {
        assertThat(JobName.checked("a".repeat(50))).hasSize(50);
        assertThatThrownBy(() -> JobName.checked("a".repeat(51))).isInstanceOf(UsageException.class);
    }
}
