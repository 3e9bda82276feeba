/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import static dev.elasticrun.agent.config.SettingTexts.text;

import dev.elasticrun.rendezvous.terms.LeaseTimes;
import dev.elasticrun.rendezvous.terms.RoundTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Validates which times must be longer than others, and derives times from them. Pure.
 *
 * <p>Refuses only what cannot work: a heartbeat that leaves no room for a lost one, a store that is given up before it
 * is missed, peers that are called lost before their nodes are, operations that end before a dead peer is found.
 */
public final class TimeoutHierarchy {
    private static final Duration LEAST_LEASE = Duration.ofSeconds(2);
    private static final Duration LEAST_HEARTBEAT = Duration.ofMillis(50);

    private final Timeouts times;

    private TimeoutHierarchy(Timeouts times) {
        this.times = times;
    }

    public static TimeoutHierarchy of(Timeouts times) {
        return new TimeoutHierarchy(times);
    }

    private record Level(Duration time, String name, String meaning) {}

    /** One line per violation; empty when all is well. */
    List<String> violations() {
        List<String> violations = new ArrayList<>();
        Duration lease = times.lease().ttl();
        Duration heartbeat = times.lease().heartbeat();
        Duration longest = times.lease().longestHeartbeat();
        if (lease.compareTo(LEAST_LEASE) < 0) {
            violations.add(violation("--lease-ttl", lease, "at least " + text(LEAST_LEASE)));
        }
        if (heartbeat.compareTo(LEAST_HEARTBEAT) < 0) {
            violations.add(violation("--heartbeat-interval", heartbeat, "at least " + text(LEAST_HEARTBEAT)));
        } else if (heartbeat.compareTo(longest) > 0) {
            violations.add(violation(
                    "--heartbeat-interval",
                    heartbeat,
                    "at most " + text(longest) + ", a third of --lease-ttl " + text(lease)));
        }
        if (times.storeTimeout().compareTo(lease) <= 0) {
            violations.add(violation(
                    "--store-timeout",
                    times.storeTimeout(),
                    "more than --lease-ttl " + text(lease) + ", up to which an outage is not even noticed"));
        }
        if (times.peerTimeout().compareTo(lease) <= 0) {
            violations.add(violation(
                    "--peer-timeout",
                    times.peerTimeout(),
                    "more than --lease-ttl " + text(lease) + ", after which a silent node is out anyway"));
        }
        Duration operation = times.operationTimeout();
        if (isPositive(operation) && operation.compareTo(times.peerTimeout()) <= 0) {
            violations.add(violation(
                    "--operation-timeout",
                    operation,
                    "0s or more than --peer-timeout " + text(times.peerTimeout())
                            + ", after which a dead peer is distinguished from a slow one"));
        }
        return violations;
    }

    /** All times of a run in their order, one per line, each with a short description. */
    public String describe() {
        LeaseTimes lease = times.lease();
        RoundTimes rounds = times.rounds();
        Duration explained = times.peerTimeout().plus(lease.explained());
        List<Level> levels = new ArrayList<>(List.of(
                new Level(lease.heartbeat(), "heartbeat", "the agent renews its node's lease"),
                new Level(lease.fence(), "fence", "without a renewal the node's workers stand still"),
                new Level(lease.ttl(), "lease", "the store takes a silent node out"),
                new Level(lease.noticed(), "silent loss", "the others have noticed at the latest"),
                new Level(times.pauseTimeout(), "pause", "a worker that has not acknowledged PAUSE has failed"),
                new Level(times.peerTimeout(), "peer", "a silent peer of a worker is reported as lost"),
                new Level(explained, "cut link", "a lost peer that no lost node explains costs a round"),
                new Level(times.storeTimeout(), "store", "an agent without its store gives up"),
                new Level(
                        times.firstContactTimeout(), "first contact", "an agent that never reached its store gives up"),
                new Level(rounds.scaleUpDelay(), "scale-up", "newcomers have been collected"),
                new Level(rounds.lastCall(), "last call", "the first round goes on below the maximum"),
                new Level(rounds.joinTimeout(), "join", "a run below its minimum ends"),
                new Level(times.shutdownTimeout(), "shutdown", "workers that were asked to end are killed")));
        if (isPositive(times.operationTimeout())) {
            levels.add(new Level(
                    times.operationTimeout(), "operation", "a worker whose peer lives but never calls fails"));
        }
        if (isPositive(times.readyTimeout())) {
            levels.add(new Level(times.readyTimeout(), "ready", "a worker that is not ready for a round has failed"));
        }
        if (isPositive(times.stragglerTimeout())) {
            levels.add(new Level(
                    times.stragglerTimeout(), "straggler", "a worker that other libraries keep in a past round fails"));
        }
        levels.sort(Comparator.comparing(Level::time));
        StringBuilder text = new StringBuilder();
        for (Level level : levels) {
            text.append(String.format("%n  %8s  %-13s  %s", text(level.time()), level.name(), level.meaning()));
        }
        return text.toString();
    }

    private static boolean isPositive(Duration time) {
        return !time.isZero() && !time.isNegative();
    }

    private static String violation(String name, Duration value, String expected) {
        return name + ": " + text(value) + " (expected: " + expected + ")";
    }
}
