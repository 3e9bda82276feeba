/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.telemetry;

import java.net.URI;

/**
 * Makes what sends telemetry. Found by {@link java.util.ServiceLoader}, on the class path or on {@code --policy-path};
 * loaded only if a collector is configured. Needs a public constructor without parameters.
 */
public interface TelemetryProvider {

    /**
     * Called by a thread that may wait, when the agent has started.
     *
     * @throws IllegalArgumentException for a configuration that it cannot use, whose message states what was expected
     */
    Telemetry open(Origin origin, URI collector);

    /** Whose telemetry it is. */
    record Origin(String runId, String nodeId, String host, String version) {}
}
