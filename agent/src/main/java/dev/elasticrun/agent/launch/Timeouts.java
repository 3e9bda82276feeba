/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.rendezvous.record.LeaseTimes;
import java.time.Duration;
import java.util.Optional;

/** How long what may take: the settings of the same names, which say what zero means and what is too low or too high. */
public record Timeouts(SettingValues values) {
    public Duration leaseTtl() {
        return values.get(Settings.LEASE_TTL);
    }

    public Duration joinTimeout() {
        return values.get(Settings.JOIN_TIMEOUT);
    }

    public Duration lastCallTimeout() {
        return values.get(Settings.LAST_CALL_TIMEOUT);
    }

    public Duration scaleUpDelay() {
        return values.get(Settings.SCALE_UP_DELAY);
    }

    public Duration replacementWait() {
        return values.get(Settings.REPLACEMENT_WAIT);
    }

    public Duration rejoinBackOff() {
        return values.get(Settings.REJOIN_BACK_OFF);
    }

    public Duration excludeCoolDown() {
        return values.get(Settings.EXCLUDE_COOL_DOWN);
    }

    public Duration pauseTimeout() {
        return values.get(Settings.PAUSE_TIMEOUT);
    }

    public Duration readyTimeout() {
        return values.get(Settings.READY_TIMEOUT);
    }

    public Duration peerTimeout() {
        return values.get(Settings.PEER_TIMEOUT);
    }

    public Duration operationTimeout() {
        return values.get(Settings.OPERATION_TIMEOUT);
    }

    public Duration hangTimeout() {
        return values.get(Settings.HANG_TIMEOUT);
    }

    public Duration stragglerTimeout() {
        return values.get(Settings.STRAGGLER_TIMEOUT);
    }

    public Duration storeTimeout() {
        return values.get(Settings.STORE_TIMEOUT);
    }

    public Duration firstContactTimeout() {
        return values.get(Settings.FIRST_CONTACT_TIMEOUT);
    }

    public Duration shutdownTimeout() {
        return values.get(Settings.SHUTDOWN_TIMEOUT);
    }

    /** How often the agent renews its node's lease, if that was said. */
    public Optional<Duration> heartbeatInterval() {
        return values.find(Settings.HEARTBEAT_INTERVAL);
    }

    /** How often the agent renews its node's lease. */
    public Duration heartbeat() {
        return heartbeatInterval().orElseGet(() -> LeaseTimes.heartbeat(leaseTtl()));
    }
}
