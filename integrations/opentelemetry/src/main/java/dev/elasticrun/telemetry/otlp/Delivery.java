/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.telemetry.otlp;

import io.opentelemetry.sdk.common.CompletableResultCode;
import java.net.URI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports when the collector takes nothing, and when it does again: one line for each, however much was to be sent. Safe
 * for use by any thread.
 */
final class Delivery {
    private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);

    private final URI collector;
    private boolean failing;

    Delivery(URI collector) {
        this.collector = collector;
    }

    /** @param result of an export that has begun */
    CompletableResultCode watch(CompletableResultCode result) {
        return result.whenComplete(() -> see(result));
    }

    private synchronized void see(CompletableResultCode result) {
        if (result.isSuccess() && failing) {
            LOG.info("{} takes metrics and incidents again", collector);
        } else if (!result.isSuccess() && !failing) {
            LOG.warn(
                    "{} does not take metrics and incidents: {} (expected: a collector that speaks OTLP over HTTP; what"
                            + " follows is sent all the same)",
                    collector,
                    reason(result));
        }
        failing = !result.isSuccess();
    }

    // Of an answer only the SDK's own log has the status.
    private static String reason(CompletableResultCode result) {
        Throwable failure = result.getFailureThrowable();
        Throwable cause = failure == null ? null : failure.getCause();
        return cause == null ? "it refused them (the log has more at level debug)" : cause.toString();
    }
}
