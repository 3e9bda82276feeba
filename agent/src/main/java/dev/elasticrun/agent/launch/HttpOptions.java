/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.agent.config.ListenAddress;
import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import java.util.Optional;

/** What an agent serves to browsers and metrics systems. The same address twice is one listener for both. */
public record HttpOptions(SettingValues values) {
    /** Where metrics are scraped; empty = nowhere. */
    public Optional<ListenAddress> metrics() {
        return values.find(Settings.METRICS_PORT);
    }

    /** Where the page about the run is; empty = there is none. */
    public Optional<ListenAddress> dashboard() {
        return values.find(Settings.DASHBOARD_PORT);
    }

    public boolean any() {
        return metrics().isPresent() || dashboard().isPresent();
    }
}
