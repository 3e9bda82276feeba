/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.terms;

import java.time.Duration;

/**
 * The times of an agent's lease, and those that follow from them. Pure.
 *
 * @param ttl how long a silent node stays a member. Too low: pauses of the JVM or the network evict healthy nodes. Too
 *     high: losses that cannot be proved cost that long
 * @param heartbeat how often the lease is renewed
 */
public record LeaseTimes(Duration ttl, Duration heartbeat) {
    /** Stores look for leases that have ended twice a second. */
    private static final Duration STORE_TICK = Duration.ofMillis(500);

    /** Workers look at their deadline every 250 ms at the latest, and need a moment to act on it. */
    private static final Duration WORKERS_LOOK = Duration.ofMillis(300);

    /** Renewed as often as it is unless something else is asked for. */
    public static LeaseTimes of(Duration ttl) {
        return new LeaseTimes(ttl, Duration.ofNanos(ttl.toNanos() / 6));
    }

    /** The longest time between two renewals that leaves room for a lost one. */
    public Duration longestHeartbeat() {
        return share(1, 3);
    }

    /**
     * How long a lease may be trusted; from then on the node's workers stall. Counted from when the last renewal was
     * sent, so that it comes before the store's own end of the lease: by a tenth of it, and by no less than workers may
     * take to look at their deadline.
     */
    public Duration fence() {
        Duration part = share(9, 10);
        Duration before = ttl.minus(WORKERS_LOOK);
        return part.compareTo(before) < 0 ? part : before;
    }

    /** How long after the fence the store may still have the lease, and take a renewal. */
    public Duration rest() {
        return noticed().minus(fence());
    }

    /** When the others have noticed at the latest that a node went silent. */
    public Duration noticed() {
        return ttl.plus(STORE_TICK);
    }

    /**
     * How long a loss has to explain a broken link. Beyond one TTL: the store may end a lease, and publish that, a
     * moment late, and a loss must cost one round.
     */
    public Duration explained() {
        return share(4, 3);
    }

    /** The longest time without an answered renewal that has cost no node its lease, whatever the heartbeat is. */
    public Duration harmlessGap() {
        return share(1, 2);
    }

    /** A timer that is later than this was held up by its own process. */
    public Duration stall() {
        return share(1, 3);
    }

    // In whole numbers: Duration divides by BigDecimal, and these are asked for with each event.
    private Duration share(int parts, int of) {
        return Duration.ofNanos(ttl.toNanos() / of * parts);
    }
}
