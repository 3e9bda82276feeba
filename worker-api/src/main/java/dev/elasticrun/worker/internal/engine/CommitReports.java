/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.contract.UpMessage;
import java.time.Duration;

/**
 * Reports to the agent now and then which checkpoint all ranks have completed: so the run still records that there was
 * one when all its holders are gone. User thread.
 */
final class CommitReports {
    private static final long EVERY_NANOS = Duration.ofSeconds(10).toNanos();

    private boolean hasReported;
    private long reportedNanos;

    /** One rank reports for all. */
    void committed(int rank, long version, RoundControl control, long nowNanos) {
        boolean isDue = !hasReported || nowNanos - reportedNanos >= EVERY_NANOS;
        if (rank == 0 && isDue) {
            hasReported = true;
            reportedNanos = nowNanos;
            control.report(new UpMessage.Committed(version));
        }
    }
}
