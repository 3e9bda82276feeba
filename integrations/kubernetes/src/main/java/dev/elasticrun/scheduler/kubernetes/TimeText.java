/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as the agent's flags have them. */
final class TimeText {
    static final String EXPECTED = "a time such as 5s, 2m or 1h; a plain number is seconds";

    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s|m|h)?");

    private TimeText() {}

    static Optional<Duration> parse(String text) {
        Matcher matcher = TIME.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long amount = Long.parseLong(matcher.group(1));
        String unit = matcher.group(2) == null ? "s" : matcher.group(2);
        return Optional.of(
                switch (unit) {
                    case "ms" -> Duration.ofMillis(amount);
                    case "m" -> Duration.ofMinutes(amount);
                    case "h" -> Duration.ofHours(amount);
                    default -> Duration.ofSeconds(amount);
                });
    }

    /** Begun seconds count. */
    static long seconds(Duration time) {
        return time.plusSeconds(1).minusNanos(1).toSeconds();
    }
}
