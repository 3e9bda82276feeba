/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class WorkerFailureTest {
    private static WorkerFailure failure(WorkerFailure.Kind kind, int exitCode) {
        return new WorkerFailure(0, 3, kind, exitCode, "m", false);
    }

    @Test
    void signal_isThatOfTheExitCode() {
        assertThat(failure(WorkerFailure.Kind.OUT_OF_MEMORY, 137).signal()).hasValue(9);
        assertThat(failure(WorkerFailure.Kind.SIGNAL, 192).signal()).hasValue(64);
        assertThat(failure(WorkerFailure.Kind.EXIT_CODE, 128).signal()).isEmpty();
        assertThat(failure(WorkerFailure.Kind.EXIT_CODE, 193).signal()).isEmpty();
        assertThat(failure(WorkerFailure.Kind.NO_ANSWER, -1).signal()).isEmpty();
    }

    @Test
    void text_hasKindAndHowTheProcessEnded() {
        assertThat(failure(WorkerFailure.Kind.OUT_OF_MEMORY, 137).text()).isEqualTo("out of memory, signal 9");
        assertThat(failure(WorkerFailure.Kind.EXCEPTION, 1).text()).isEqualTo("exception, exit code 1");
        assertThat(failure(WorkerFailure.Kind.NO_ANSWER, -1).text()).isEqualTo("no answer");
        assertThat(failure(WorkerFailure.Kind.SIGNAL, 139).text()).isEqualTo("signal 11");
        assertThat(failure(WorkerFailure.Kind.EXIT_CODE, 3).text()).isEqualTo("exit code 3");
    }
}
