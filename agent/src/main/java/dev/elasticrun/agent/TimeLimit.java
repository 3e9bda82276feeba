/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** The times of a run, each with its default and what it may be by itself; see {@link TimeoutHierarchy} for the rest. */
enum TimeLimit {
    LEASE_TTL("3s", Bound.NONE),
    /** Its default follows from the lease: see {@link Timeouts#heartbeat}. */
    HEARTBEAT_INTERVAL("0s", Bound.NONE),
    JOIN_TIMEOUT("600s", Bound.POSITIVE),
    LAST_CALL_TIMEOUT("5s", Bound.NOT_NEGATIVE),
    SCALE_UP_DELAY("0.5s", Bound.NOT_NEGATIVE),
    REPLACEMENT_WAIT("0s", Bound.NOT_NEGATIVE),
    REJOIN_BACK_OFF("60s", Bound.NOT_NEGATIVE),
    EXCLUDE_COOL_DOWN("600s", Bound.NOT_NEGATIVE),
    PAUSE_TIMEOUT("10s", Bound.POSITIVE),
    READY_TIMEOUT("0s", Bound.NOT_NEGATIVE),
    PEER_TIMEOUT("30s", Bound.NONE),
    OPERATION_TIMEOUT("1800s", Bound.NOT_NEGATIVE),
    HANG_TIMEOUT("300s", Bound.ZERO_OR_A_SECOND),
    STRAGGLER_TIMEOUT("3s", Bound.NOT_NEGATIVE),
    STORE_TIMEOUT("60s", Bound.NONE),
    FIRST_CONTACT_TIMEOUT("10s", Bound.POSITIVE),
    SHUTDOWN_TIMEOUT("30s", Bound.NOT_NEGATIVE);

    private final Duration fallback;
    private final Bound bound;

    TimeLimit(String fallback, Bound bound) {
        this.fallback = Duration.parse("PT" + fallback);
        this.bound = bound;
    }

    private enum Bound {
        NONE("", Duration.ofSeconds(Long.MIN_VALUE)),
        POSITIVE("more than 0s", Duration.ofNanos(1)),
        NOT_NEGATIVE("0s or more", Duration.ZERO),
        ZERO_OR_A_SECOND("0s, or at least 1s", Duration.ofSeconds(1));

        private final String text;
        private final Duration least;

        Bound(String text, Duration least) {
            this.text = text;
            this.least = least;
        }

        boolean holds(Duration time) {
            return time.compareTo(least) >= 0 || (this == ZERO_OR_A_SECOND && time.isZero());
        }
    }

    Duration fallback() {
        return fallback;
    }

    /** As on the command line. */
    String flag() {
        return "--" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What it must be instead, if it may not be this. */
    Optional<String> expectation(Duration time) {
        return bound.holds(time) ? Optional.empty() : Optional.of(bound.text);
    }
}
