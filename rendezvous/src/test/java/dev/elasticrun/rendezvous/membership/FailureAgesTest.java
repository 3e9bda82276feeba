/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.NodeFixture;
import dev.elasticrun.rendezvous.record.NodeRecord;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class FailureAgesTest {
    private final FailureAges ages = new FailureAges();

    @Test
    void aged_recordThatWaitedToBeWritten_reportsHowLongAgoItsFailureWas() {
        NodeRecord record = NodeFixture.of("a", 1).failsEarlier(300).record();
        ages.note(record, nanos(1000));
        ages.note(record, nanos(1020));

        assertThat(ages.aged(record, nanos(1050)).failures())
                .extracting(Failure::heldMillis)
                .containsExactly(350L);
    }

    @Test
    void aged_recordWithoutFailures_staysTheSame() {
        NodeRecord record = NodeFixture.of("a", 1).record();
        ages.note(record, nanos(1000));

        assertThat(ages.aged(record, nanos(1050))).isSameAs(record);
    }

    private static long nanos(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }
}
