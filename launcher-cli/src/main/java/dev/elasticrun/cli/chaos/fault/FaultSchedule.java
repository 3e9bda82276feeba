/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** When which fault is due: the same for the same seed, weights, interval and length. Pure. */
public final class FaultSchedule {
    private FaultSchedule() {}

    /**
     * A fault that is due.
     *
     * @param number from 1
     * @param atNanos from the start of the storm
     * @param draw 0 to below 1; chooses the victim among those that there are
     */
    public record Planned(int number, long atNanos, FaultKind kind, double draw) {

        /** One of the candidates. */
        public <T> T choose(List<T> candidates) {
            return candidates.get((int) (draw * candidates.size()));
        }
    }

    /** Two faults are between a half and one and a half of the interval apart. */
    public static List<Planned> of(Weather weather) {
        SplittableRandom random = new SplittableRandom(weather.seed());
        int sum = 0;
        for (FaultKind kind : FaultKind.values()) {
            sum += weather.weight(kind);
        }
        List<Planned> planned = new ArrayList<>();
        long every = weather.every().toNanos();
        long at = 0;
        while (true) {
            at += every / 2 + random.nextLong(every);
            FaultKind kind = kind(weather, random.nextInt(sum));
            double draw = random.nextDouble();
            if (at >= weather.length().toNanos()) {
                return List.copyOf(planned);
            }
            planned.add(new Planned(planned.size() + 1, at, kind, draw));
        }
    }

    private static FaultKind kind(Weather weather, int ticket) {
        int rest = ticket;
        for (FaultKind kind : FaultKind.values()) {
            rest -= weather.weight(kind);
            if (rest < 0) {
                return kind;
            }
        }
        throw new IllegalArgumentException("ticket: " + ticket + " (expected: below the sum of the weights)");
    }
}
