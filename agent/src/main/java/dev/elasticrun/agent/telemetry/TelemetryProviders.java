/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.telemetry;

import dev.elasticrun.rendezvous.restart.PolicyPath;
import java.net.URI;
import java.util.SortedMap;

/** The one provider that is on the class path, or on {@code --policy-path}. */
public final class TelemetryProviders {
    private static final String FLAG = "--otlp-endpoint";

    private TelemetryProviders() {}

    /**
     * Finds it.
     *
     * @param policyPath jars and directories to look into besides the class path, separated by ':'; empty = none
     * @throws IllegalArgumentException when there is none, or several
     */
    public static TelemetryProvider find(URI collector, String policyPath) {
        SortedMap<String, TelemetryProvider> found = PolicyPath.services(
                TelemetryProvider.class,
                provider -> provider.getClass().getName(),
                FLAG,
                collector.toString(),
                policyPath);
        if (found.size() != 1) {
            throw new IllegalArgumentException(FLAG + ": " + collector + " ("
                    + (found.isEmpty()
                            ? "expected: elastic-run-telemetry-otlp.jar in the class path, or in --policy-path"
                            : "expected: one provider of telemetry, found: " + String.join(", ", found.keySet()))
                    + ")");
        }
        return found.values().iterator().next();
    }
}
