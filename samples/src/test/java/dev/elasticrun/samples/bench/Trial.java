/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * One cell of the fault-tolerance experiment.
 *
 * @param affected workers that are killed at half of the boosting rounds
 */
record Trial(Condition condition, int affected) {
    static final int MOST_AFFECTED = 3;

    /** What becomes of the workers that are killed. */
    enum Condition {
        BASELINE("no failures"),
        /** Nobody takes their places. */
        FEWER("fewer workers"),
        /** All others wait until somebody has. */
        NON_ELASTIC("non-elastic"),
        /** The others go on, and somebody joins them when he has loaded his data. */
        ELASTIC("elastic");

        private final String words;

        Condition(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }

        /** As trials are asked for: without the hyphen. */
        private String key() {
            return name().toLowerCase(Locale.ROOT).replace("_", "");
        }
    }

    Trial {
        boolean isBaseline = condition == Condition.BASELINE;
        if (affected < 0 || affected > MOST_AFFECTED || isBaseline != (affected == 0)) {
            throw new IllegalArgumentException(
                    "affected: " + affected + " (expected: 1 to " + MOST_AFFECTED + ", 0 without failures)");
        }
    }

    static final Trial BASELINE = new Trial(Condition.BASELINE, 0);

    /** All that are published, the one without failures twice: first and last. */
    static List<Trial> all() {
        Stream<Trial> failing = Stream.of(Condition.FEWER, Condition.NON_ELASTIC, Condition.ELASTIC)
                .flatMap(condition -> Stream.of(1, 2, 3).map(affected -> new Trial(condition, affected)));
        return Stream.of(Stream.of(BASELINE), failing, Stream.of(BASELINE))
                .flatMap(trials -> trials)
                .toList();
    }

    /** {@code baseline,fewer1,nonelastic3}. */
    static List<Trial> parse(String text) {
        return text.equals("all")
                ? all()
                : Arrays.stream(text.split(",", -1)).map(Trial::one).toList();
    }

    private static Trial one(String text) {
        return all().stream()
                .filter(trial -> trial.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "trial: " + text + " (expected: all, or some of " + String.join(",", names()) + ")"));
    }

    private static List<String> names() {
        return all().stream().map(Trial::toString).distinct().toList();
    }

    @Override
    public String toString() {
        return condition.key() + (affected == 0 ? "" : affected);
    }
}
