/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.telemetry;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Sends metrics and incidents of one agent to a collector. An agent calls its methods one after the other, by one thread
 * that may wait. A collector that cannot be reached is no error of the agent: no method throws for that.
 */
public interface Telemetry extends AutoCloseable {

    /**
     * Metrics that are sent from now on. Called once.
     *
     * @param reading what is read at each collection; called by any thread, may block for half a second
     * @param description names the metrics
     */
    <R> void metrics(Supplier<R> reading, Consumer<MetricSink<R>> description);

    void incident(IncidentSpan span);

    /** Sends what is left, and waits for that; interrupted after two seconds, when the agent goes on without it. */
    @Override
    void close();
}
