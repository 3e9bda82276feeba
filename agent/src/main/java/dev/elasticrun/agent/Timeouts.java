/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.rendezvous.record.LeaseTimes;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** How long what may take. Immutable; the builder's calls say what is too low and too high. */
public final class Timeouts {
    static final Timeouts DEFAULT = new Timeouts(Map.of());

    /** Those that differ from their defaults, or were said to be them. */
    private final Map<TimeLimit, Duration> given;

    private Timeouts(Map<TimeLimit, Duration> given) {
        this.given = given;
    }

    Timeouts with(TimeLimit limit, Duration time) {
        Map<TimeLimit, Duration> more = new EnumMap<>(TimeLimit.class);
        more.putAll(given);
        more.put(limit, Objects.requireNonNull(time, limit.flag()));
        return new Timeouts(more);
    }

    Duration of(TimeLimit limit) {
        return given.getOrDefault(limit, limit.fallback());
    }

    /** How long a silent node stays a member. */
    public Duration leaseTtl() {
        return of(TimeLimit.LEASE_TTL);
    }

    /** How often the agent renews its node's lease, if that was said. */
    public Optional<Duration> heartbeatInterval() {
        return Optional.ofNullable(given.get(TimeLimit.HEARTBEAT_INTERVAL));
    }

    /** How often the agent renews its node's lease. */
    Duration heartbeat() {
        return heartbeatInterval().orElse(LeaseTimes.heartbeat(leaseTtl()));
    }

    /** How long the run waits for its minimum of nodes. */
    public Duration joinTimeout() {
        return of(TimeLimit.JOIN_TIMEOUT);
    }

    /** How long a first round below the maximum waits for more nodes. */
    public Duration lastCallTimeout() {
        return of(TimeLimit.LAST_CALL_TIMEOUT);
    }

    /** How long newcomers are collected before the world grows. */
    public Duration scaleUpDelay() {
        return of(TimeLimit.SCALE_UP_DELAY);
    }

    /** How long survivors wait, paused, for a failed or lost node. */
    public Duration replacementWait() {
        return of(TimeLimit.REPLACEMENT_WAIT);
    }

    /** The longest that a node which keeps failing waits before it may join again; zero = never waits. */
    public Duration rejoinBackOff() {
        return of(TimeLimit.REJOIN_BACK_OFF);
    }

    /** How long a node stays out that a worker excluded, or whose workers keep failing. */
    public Duration excludeCoolDown() {
        return of(TimeLimit.EXCLUDE_COOL_DOWN);
    }

    /** How long a worker may take to acknowledge PAUSE. */
    public Duration pauseTimeout() {
        return of(TimeLimit.PAUSE_TIMEOUT);
    }

    /** How long a worker may take to be ready for a round, under soft policies; zero = as long as it needs. */
    public Duration readyTimeout() {
        return of(TimeLimit.READY_TIMEOUT);
    }

    /** How long workers may hear nothing from a peer. */
    public Duration peerTimeout() {
        return of(TimeLimit.PEER_TIMEOUT);
    }

    /** How long a collective operation waits for a peer that lives but never calls; zero = for ever. */
    public Duration operationTimeout() {
        return of(TimeLimit.OPERATION_TIMEOUT);
    }

    /** The least time without progress that is a hang; zero = none is. */
    public Duration hangTimeout() {
        return of(TimeLimit.HANG_TIMEOUT);
    }

    /** How long a worker may wait in another library for workers of a round that is over; zero = for ever. */
    public Duration stragglerTimeout() {
        return of(TimeLimit.STRAGGLER_TIMEOUT);
    }

    /** How long the store may be away before the agent gives up. */
    public Duration storeTimeout() {
        return of(TimeLimit.STORE_TIMEOUT);
    }

    /** How long the store may take to answer for the first time. */
    public Duration firstContactTimeout() {
        return of(TimeLimit.FIRST_CONTACT_TIMEOUT);
    }

    /** Grace between TERM and KILL, shared by all workers of the node. */
    public Duration shutdownTimeout() {
        return of(TimeLimit.SHUTDOWN_TIMEOUT);
    }
}
