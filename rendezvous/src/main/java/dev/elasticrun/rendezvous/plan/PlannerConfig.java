/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.terms.LeaseTimes;
import dev.elasticrun.rendezvous.terms.RoundTimes;
import java.time.Duration;

/**
 * How long the planner waits for what.
 *
 * @param lossesPerMember how long more losses are collected before a round is sealed without the first, for each of its
 *     members, in whole milliseconds. Too low: losses of one cause cost several rounds. Too high: every loss costs more
 */
public record PlannerConfig(LeaseTimes lease, RoundTimes rounds, Duration lossesPerMember) {

    /** A twentieth of what sealing a round costs for each member, or less: none below 50, 20 ms at 1000. */
    static final Duration LOSSES_PER_MEMBER = Duration.ofNanos(20_000);

    public PlannerConfig(LeaseTimes lease, RoundTimes rounds) {
        this(lease, rounds, LOSSES_PER_MEMBER);
    }

    Duration losses(int members) {
        return Duration.ofMillis(lossesPerMember.multipliedBy(members).toMillis());
    }
}
