/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
final class FailuresTest {

    @Test
    void count_newRoundOrCommit_beginsAnew() {
        Failures failures = new Failures();
        failures.add(5, "a");
        failures.add(5, "b");

        assertThat(failures.count(5)).isEqualTo(2);
        assertThat(failures.count(6)).isZero();
        failures.add(6, "c");
        assertThat(failures.count(6)).isOne();
        failures.clear();
        assertThat(failures.count(6)).isZero();
    }

    @Test
    void describe_oneRefusedAndOthersFeltIt_namesTheOne() {
        byte[] all = join(
                stated("Ring Allreduce failed\nEncountered EOF. The other end is likely closed."),
                stated(
                        "[12:00:00] objective.cu:70: Check failed: is_valid:\nlabel must be in [0,1]\nStack trace:\n  [bt] (0)"),
                stated(""));

        assertThat(Failures.describe(all))
                .isEqualTo("XGBoost failed 3 times in a row, and no worker was lost."
                        + " rank 1: [12:00:00] objective.cu:70: Check failed: is_valid: label must be in [0,1]");
    }

    @Test
    void describe_onlyTheNetwork_namesAll() {
        assertThat(Failures.describe(join(stated("Poll timeout:5 seconds"), stated("Connection refused"))))
                .endsWith("rank 0: Poll timeout:5 seconds; rank 1: Connection refused");
        assertThat(Failures.describe(stated(""))).endsWith("No rank reports why.");
    }

    @Test
    void message_networkFailsAfterwards_isStillTheReason() {
        Failures failures = new Failures();
        failures.add(1, "label must be in [0,1]");
        failures.add(1, "Socket error. Connection refused");

        assertThat(Failures.describe(failures.message())).endsWith("rank 0: label must be in [0,1]");
    }

    @Test
    void message_longText_isCut() {
        assertThat(stated("x".repeat(5000))).hasSize(Failures.BYTES);
    }

    private static byte[] stated(String message) {
        Failures failures = new Failures();
        failures.add(1, message);
        return failures.message();
    }

    private static byte[] join(byte[]... parts) {
        byte[] all = new byte[0];
        for (byte[] part : parts) {
            all = Arrays.copyOf(all, all.length + part.length);
            System.arraycopy(part, 0, all, all.length - part.length, part.length);
        }
        return all;
    }
}
