/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an agent serves to browsers and metrics systems. The same address twice is one listener for both.
 *
 * @param metricsAddress see {@link #metrics}
 * @param dashboardAddress see {@link #dashboard}
 */
public record HttpOptions(
        @Nullable ListenAddress metricsAddress, @Nullable ListenAddress dashboardAddress) {
    static final HttpOptions DEFAULT = new HttpOptions(null, null);

    /** Where metrics are scraped; empty = nowhere. */
    public Optional<ListenAddress> metrics() {
        return Optional.ofNullable(metricsAddress);
    }

    /** Where the page about the run is; empty = there is none. */
    public Optional<ListenAddress> dashboard() {
        return Optional.ofNullable(dashboardAddress);
    }

    boolean any() {
        return metricsAddress != null || dashboardAddress != null;
    }
}
