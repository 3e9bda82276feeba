/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.Failure;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FailureKindTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1   | CUDA out of memory. Tried to allocate 2 GiB               | at x | EXCEPTION",
                "1   | out of memory                                             | ''   | EXIT_CODE",
                "137 | killed by SIGKILL (9)                                     | ''   | SIGNAL",
                "137 | out of memory: the kernel killed it; control group /a: .. | ''   | OUT_OF_MEMORY",
                "1   | hang: the other side does not answer                      | ''   | EXIT_CODE",
                "137 | hang: no progress for 30 s                                | ''   | HANG",
            })
    void kind_isKnownByHowTheProcessEnded_notByItsOwnWords(
            int exitCode, String message, String stack, FailureKind expected) {
        Failure failure =
                new Failure("a-1", "a", 1, 0, 0, 0, 77, exitCode, message, stack, List.of(), "/log", false, 0);

        assertThat(FailureKind.of(failure)).isEqualTo(expected);
    }
}
