/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.contract.UpMessage;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class CommitReportsTest {
    private final FakeControl control = new FakeControl();
    private final CommitReports reports = new CommitReports();

    @Test
    void rankZero_reportsTheFirstAtOnceAndThenRarely() {
        for (long version = 1; version <= 100; version++) {
            reports.committed(0, version, control, Duration.ofSeconds(version).toNanos() - Long.MAX_VALUE / 2);
        }

        assertThat(control.reports())
                .hasSize(10)
                .startsWith(new UpMessage.Committed(1), new UpMessage.Committed(11))
                .endsWith(new UpMessage.Committed(91));
    }

    @Test
    void otherRanks_areSilent() {
        reports.committed(1, 1, control, 0);

        assertThat(control.reports()).isEmpty();
    }
}
