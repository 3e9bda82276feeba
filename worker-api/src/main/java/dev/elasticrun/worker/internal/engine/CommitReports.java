/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.contract.UpMessage;
import java.time.Duration;

/**
 * Tells the agent now and then which checkpoint all ranks have completed: so the run knows that there was one when all
 * that held it is gone. User thread.
 */
final class CommitReports {
    private static final long EVERY_NANOS = Duration.ofSeconds(10).toNanos();

    private boolean hasSaid;
    private long saidNanos;

    /** One rank says it for all. */
    void committed(int rank, long version, RoundControl control, long nowNanos) {
        boolean isDue = !hasSaid || nowNanos - saidNanos >= EVERY_NANOS;
        if (rank == 0 && isDue) {
            hasSaid = true;
            saidNanos = nowNanos;
            control.report(new UpMessage.Committed(version));
        }
    }
}
