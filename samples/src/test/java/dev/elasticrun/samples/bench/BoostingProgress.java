/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** When the boosting rounds of a run were done, as its output shows. */
final class BoostingProgress {
    private static final Pattern STEP = Pattern.compile("^step (\\d+)/\\d+ ", Pattern.MULTILINE);

    private static final long NEVER = -1;
    private static final int NONE = -1;
    private static final long NOTICED_WITHIN = Duration.ofMillis(500).toNanos();

    private final List<Long> nanos = new ArrayList<>();
    private int reached;
    private long killed = NEVER;

    /** @param outputs what all workers have printed by now */
    void see(List<String> outputs, long now) {
        int highest = outputs.stream()
                .flatMapToInt(
                        output -> STEP.matcher(output).results().mapToInt(step -> Integer.parseInt(step.group(1))))
                .max()
                .orElse(0);
        if (highest > reached) {
            reached = highest;
            nanos.add(now);
        }
    }

    /** Rounds done. */
    int reached() {
        return reached;
    }

    /** Workers are killed now. */
    void killed(long now) {
        killed = now;
    }

    /**
     * Seconds from the last round before the others noticed the kill to the first one after it, above those of a usual
     * round; NaN = there was no kill.
     */
    double recovery() {
        return killed == NEVER ? Double.NaN : above(recovering());
    }

    /** The longest time without a round after the recovery, in seconds above the usual one. */
    double laterPause() {
        return above(IntStream.range(killed == NEVER ? 0 : recovering() + 1, nanos.size() - 1)
                .boxed()
                .max(Comparator.comparingDouble(this::gap))
                .orElse(NONE));
    }

    /** The longest gap of those that the kill can have made. */
    private int recovering() {
        return IntStream.range(0, nanos.size() - 1)
                .filter(at -> nanos.get(at + 1) > killed && nanos.get(at) < killed + NOTICED_WITHIN)
                .boxed()
                .max(Comparator.comparingDouble(this::gap))
                .orElse(NONE);
    }

    private double above(int at) {
        double[] gaps =
                IntStream.range(0, nanos.size() - 1).mapToDouble(this::gap).toArray();
        return at == NONE ? Double.NaN : (gap(at) - Distribution.of(gaps).median()) / 1e3;
    }

    private double gap(int at) {
        return (nanos.get(at + 1) - nanos.get(at)) / 1e6;
    }
}
