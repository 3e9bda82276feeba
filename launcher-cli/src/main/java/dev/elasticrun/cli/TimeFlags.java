/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.LaunchConfigBuilder;
import dev.elasticrun.agent.Timeouts;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** How long what may take. */
final class TimeFlags {
    private static final String LABEL = "TIME";

    private TimeFlags() {}

    static final Flags.Group GROUP = new Flags.Group(
            "Times (500ms, 5s, 2m, 1h; a plain number is seconds)",
            List.of(
                    time(
                            "lease-ttl",
                            "How long a silent node stays a member; at least 2s.",
                            LaunchConfigBuilder::leaseTtl,
                            Timeouts::leaseTtl,
                            "3s"),
                    Flag.ifGiven(
                            "heartbeat-interval",
                            LABEL,
                            "How often the lease is renewed, at most a third of it. Default: a sixth of it.",
                            FlagKind.TIME,
                            LaunchConfigBuilder::heartbeatInterval,
                            config -> config.times().heartbeatInterval()),
                    time(
                            "join-timeout",
                            "How long the run waits for its minimum of nodes.",
                            LaunchConfigBuilder::joinTimeout,
                            Timeouts::joinTimeout,
                            "600s"),
                    time(
                            "last-call-timeout",
                            "How long the first round waits for more nodes once it has the minimum.",
                            LaunchConfigBuilder::lastCallTimeout,
                            Timeouts::lastCallTimeout,
                            "5s"),
                    time(
                            "scale-up-delay",
                            "How long newcomers are collected before the world grows.",
                            LaunchConfigBuilder::scaleUpDelay,
                            Timeouts::scaleUpDelay,
                            "500ms"),
                    time(
                            "replacement-wait",
                            "How long survivors wait, paused, for a failed or lost node before they go on without it.",
                            LaunchConfigBuilder::replacementWait,
                            Timeouts::replacementWait,
                            "0s"),
                    time(
                            "rejoin-back-off",
                            "The longest that a node which keeps failing waits before it may join again; 0: never waits.",
                            LaunchConfigBuilder::rejoinBackOff,
                            Timeouts::rejoinBackOff,
                            "60s"),
                    time(
                            "exclude-cool-down",
                            "How long a node stays out that a worker excluded, or whose workers keep failing.",
                            LaunchConfigBuilder::excludeCoolDown,
                            Timeouts::excludeCoolDown,
                            "600s"),
                    time(
                            "pause-timeout",
                            "How long a worker may take to acknowledge PAUSE.",
                            LaunchConfigBuilder::pauseTimeout,
                            Timeouts::pauseTimeout,
                            "10s"),
                    time(
                            "ready-timeout",
                            "How long a worker may load until it is ready for a round, under soft policies;"
                                    + " 0: as long as it needs.",
                            LaunchConfigBuilder::readyTimeout,
                            Timeouts::readyTimeout,
                            "0s"),
                    time(
                            "peer-timeout",
                            "How long workers may receive nothing from a peer.",
                            LaunchConfigBuilder::peerTimeout,
                            Timeouts::peerTimeout,
                            "30s"),
                    time(
                            "operation-timeout",
                            "How long a collective operation waits for a peer that lives but never calls; 0: for ever.",
                            LaunchConfigBuilder::operationTimeout,
                            Timeouts::operationTimeout,
                            "1800s"),
                    time(
                            "hang-timeout",
                            "The least time without progress that is a hang, of a worker that reports its progress;"
                                    + " 0: none is.",
                            LaunchConfigBuilder::hangTimeout,
                            Timeouts::hangTimeout,
                            "300s"),
                    time(
                            "straggler-timeout",
                            "How long a worker may wait in another library for peers of a round that is over, at least;"
                                    + " 0: for ever.",
                            LaunchConfigBuilder::stragglerTimeout,
                            Timeouts::stragglerTimeout,
                            "3s"),
                    time(
                            "store-timeout",
                            "How long the store may be away before the agent gives up.",
                            LaunchConfigBuilder::storeTimeout,
                            Timeouts::storeTimeout,
                            "60s"),
                    time(
                            "first-contact-timeout",
                            "How long the store may take to answer for the first time.",
                            LaunchConfigBuilder::firstContactTimeout,
                            Timeouts::firstContactTimeout,
                            "10s"),
                    time(
                            "shutdown-timeout",
                            "Grace between TERM and KILL, shared by all workers of the node.",
                            LaunchConfigBuilder::shutdownTimeout,
                            Timeouts::shutdownTimeout,
                            "30s")));

    private static Flag time(
            String name,
            String help,
            BiConsumer<LaunchConfigBuilder, Duration> setter,
            Function<Timeouts, Duration> reader,
            String fallback) {
        return Flag.of(name, LABEL, help, FlagKind.TIME, setter, config -> reader.apply(config.times()))
                .orElse(fallback);
    }
}
