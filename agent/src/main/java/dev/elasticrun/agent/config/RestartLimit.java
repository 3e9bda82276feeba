/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.config;

import java.time.Duration;

/**
 * How many restarts a run may use.
 *
 * @param max at most this many, from 0
 * @param window within any such time; zero = for as long as the run
 */
public record RestartLimit(int max, Duration window) {
    /** Each use within the window is in the record of the round. */
    private static final int MOST_IN_WINDOW = 1000;

    static final String EXPECTED =
            "N >= 0, or N/TIME with 1 <= N <= " + MOST_IN_WINDOW + " and TIME >= 1s, such as 3/1h";

    private static final Duration LEAST_WINDOW = Duration.ofSeconds(1);

    static RestartLimit parse(String text) {
        int slash = text.indexOf('/');
        RestartLimit limit = slash < 0
                ? new RestartLimit(SettingTexts.number(text, EXPECTED), Duration.ZERO)
                : new RestartLimit(
                        SettingTexts.number(text.substring(0, slash), EXPECTED), window(text.substring(slash + 1)));
        if (!limit.isPossible()) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return limit;
    }

    private static Duration window(String text) {
        try {
            Duration window = SettingTexts.duration(text);
            if (!window.isZero()) {
                return window;
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(EXPECTED, e);
        }
        throw new IllegalArgumentException(EXPECTED);
    }

    /** The reverse of {@link #parse}. */
    @Override
    public String toString() {
        return window.isZero() ? Integer.toString(max) : max + "/" + SettingTexts.text(window);
    }

    boolean isPossible() {
        return window.isZero() ? max >= 0 : max >= 1 && max <= MOST_IN_WINDOW && window.compareTo(LEAST_WINDOW) >= 0;
    }
}
