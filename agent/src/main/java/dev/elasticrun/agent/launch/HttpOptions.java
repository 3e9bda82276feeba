/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.agent.config.ListenAddress;
import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import java.net.URI;
import java.util.Optional;

/** What an agent serves to browsers and metrics systems, and what it sends to the latter. The same address twice is one listener for both. */
public record HttpOptions(SettingValues values) {
    /** Where metrics are scraped; empty = nowhere. */
    public Optional<ListenAddress> metrics() {
        return values.find(Settings.METRICS_PORT);
    }

    /** Where the page about the run is; empty = there is none. */
    public Optional<ListenAddress> dashboard() {
        return values.find(Settings.DASHBOARD_PORT);
    }

    /** Where metrics and incidents are sent; empty = nowhere. */
    public Optional<URI> collector() {
        return values.find(Settings.OTLP_ENDPOINT);
    }

    /** Whether anything is served. */
    public boolean any() {
        return metrics().isPresent() || dashboard().isPresent();
    }
}
