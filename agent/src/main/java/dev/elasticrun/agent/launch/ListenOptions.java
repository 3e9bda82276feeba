/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.worker.contract.ListenPlace;
import java.util.Optional;

/** Where this node listens for others of its run. */
public record ListenOptions(SettingValues values) {
    /** Address of this machine at which to listen; empty = that at which other nodes reach this one, if it is one. */
    public Optional<String> address() {
        return values.find(Settings.BIND_ADDR);
    }

    /** Range of ports, A-B, for all that listens on this node without a port of its own; empty = any. */
    public Optional<String> ports() {
        return values.find(Settings.PORT_RANGE);
    }

    /** Such a place at an address, with the ports that are wanted. */
    ListenPlace with(ListenPlace place) {
        return ports().map(place::withPorts).orElse(place);
    }
}
