/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.fault;

import dev.elasticrun.agent.config.SettingTexts;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What is done to the network between agents.
 *
 * @param lossPerMille of the packets that arrive at a host, throughout the storm; 0 = none is lost
 * @param delay of each packet that leaves a host, throughout the storm; zero = none
 * @param partition how long the host of one agent is cut off from all others; zero = it never is
 */
public record NetFaults(int lossPerMille, Duration delay, Duration partition) {
    public static final NetFaults NONE = new NetFaults(0, Duration.ZERO, Duration.ZERO);

    private static final String EXPECTED =
            "some of loss=P%, delay=TIME, partition=TIME, such as loss=0.5%,partition=2s";
    private static final Pattern PERCENT = Pattern.compile("(\\d{1,2}(\\.\\d)?)%");
    private static final int PER_MILLE = 10;

    /** @throws IllegalArgumentException with what was expected */
    public static NetFaults of(String text) {
        int loss = 0;
        Duration delay = Duration.ZERO;
        Duration partition = Duration.ZERO;
        Set<String> seen = new HashSet<>();
        for (String part : text.split(",", -1)) {
            int at = part.indexOf('=');
            String name = part.substring(0, Math.max(0, at));
            String amount = part.substring(at + 1);
            if (!seen.add(name)) {
                throw new IllegalArgumentException(EXPECTED + ", each once");
            }
            switch (name) {
                case "loss" -> loss = perMille(amount);
                case "delay" -> delay = positive(amount);
                case "partition" -> partition = positive(amount);
                default -> throw new IllegalArgumentException(EXPECTED);
            }
        }
        return new NetFaults(loss, delay, partition);
    }

    private static int perMille(String text) {
        int loss = PERCENT.matcher(text).matches()
                ? new BigDecimal(text.substring(0, text.length() - 1))
                        .movePointRight(1)
                        .intValueExact()
                : 0;
        if (loss == 0) {
            throw new IllegalArgumentException("loss=P% from 0.1% to 99.9%, with at most one digit behind the point");
        }
        return loss;
    }

    private static Duration positive(String text) {
        Duration time = SettingTexts.duration(text);
        if (time.isZero()) {
            throw new IllegalArgumentException(EXPECTED + ", each above 0");
        }
        return time;
    }

    public boolean isNone() {
        return equals(NONE);
    }

    public boolean hasPartitions() {
        return !partition.isZero();
    }

    public double lossPercent() {
        return (double) lossPerMille / PER_MILLE;
    }

    /** As a report has it. */
    public String text() {
        List<String> parts = new ArrayList<>();
        if (lossPerMille > 0) {
            parts.add("loss of " + lossPercent() + "% of the packets that arrive at a host");
        }
        if (!delay.isZero()) {
            parts.add("delay of " + SettingTexts.text(delay) + " of each packet that leaves a host");
        }
        if (hasPartitions()) {
            parts.add("partitions of " + SettingTexts.text(partition));
        }
        return String.join(", ", parts);
    }
}
