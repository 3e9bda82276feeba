/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.rendezvous.terms.LeaseTimes;
import dev.elasticrun.rendezvous.terms.RoundTimes;
import java.time.Duration;

/** Time limits: the settings of the same names, which specify what zero means and what is too low or too high. */
public record Timeouts(SettingValues values) {
    public LeaseTimes lease() {
        LeaseTimes usual = LeaseTimes.of(values.get(Settings.LEASE_TTL));
        return new LeaseTimes(
                usual.ttl(), values.find(Settings.HEARTBEAT_INTERVAL).orElse(usual.heartbeat()));
    }

    public RoundTimes rounds() {
        return new RoundTimes(
                values.get(Settings.JOIN_TIMEOUT),
                values.get(Settings.LAST_CALL_TIMEOUT),
                values.get(Settings.SCALE_UP_DELAY),
                values.get(Settings.REPLACEMENT_WAIT),
                values.get(Settings.REJOIN_BACK_OFF),
                values.get(Settings.EXCLUDE_COOL_DOWN));
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

    /** How long a round waits for a checkpoint of a node without a rank. */
    public Duration stateWait() {
        return values.get(Settings.STATE_WAIT);
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
}
