/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.hang;

import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.worker.contract.Heartbeat;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** A worker that is to be ended, and what it does not do. */
sealed interface Finding permits HangState.Hang, StragglerState.Straggler {

    FailureKind kind();

    /** What was found, in one line. */
    String words();

    /** What the worker's heartbeat showed when it was found. */
    Heartbeat.View seen();

    static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f s", nanos / (double) TimeUnit.SECONDS.toNanos(1));
    }
}
