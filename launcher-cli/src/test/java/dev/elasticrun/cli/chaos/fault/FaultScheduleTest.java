/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class FaultScheduleTest {
    private static final Map<FaultKind, Integer> WEIGHTS =
            Map.of(FaultKind.WORKER, 85, FaultKind.HANG, 5, FaultKind.NODE, 5, FaultKind.COORDINATOR, 5);

    @Test
    void of_sameSeed_isTheSame() {
        assertThat(FaultSchedule.of(weather(WEIGHTS, 7))).isEqualTo(FaultSchedule.of(weather(WEIGHTS, 7)));
    }

    @Test
    void of_thisSeed_staysAsItIs() {
        assertThat(FaultSchedule.of(weather(WEIGHTS, 42)).subList(0, 3))
                .extracting(planned -> planned.kind() + " " + planned.atNanos() / 1_000_000)
                .containsExactly("WORKER 1377", "WORKER 2506", "WORKER 3895");
    }

    /** A kind more draws other faults at the same times. */
    @Test
    void of_partitions_areAtTheTimesOfTheOthers() {
        Map<FaultKind, Integer> weights = new EnumMap<>(WEIGHTS);
        weights.put(FaultKind.PARTITION, 5);

        List<FaultSchedule.Planned> planned = FaultSchedule.of(weather(weights, 42));

        assertThat(planned.subList(0, 3))
                .extracting(fault -> fault.atNanos() / 1_000_000)
                .containsExactly(1377L, 2506L, 3895L);
        assertThat(planned).anyMatch(fault -> fault.kind() == FaultKind.PARTITION);
    }

    @Test
    void of_otherSeed_isAnother() {
        assertThat(FaultSchedule.of(weather(WEIGHTS, 7))).isNotEqualTo(FaultSchedule.of(weather(WEIGHTS, 8)));
    }

    @Test
    void of_weights_areTheShares() {
        List<FaultSchedule.Planned> planned = FaultSchedule.of(new Weather(
                Map.of(FaultKind.WORKER, 3, FaultKind.NODE, 1), Duration.ofSeconds(1), Duration.ofHours(2), 1));

        Map<FaultKind, Long> counts =
                planned.stream().collect(Collectors.groupingBy(FaultSchedule.Planned::kind, Collectors.counting()));
        assertThat(planned).hasSizeBetween(7000, 7400);
        assertThat(counts).containsOnlyKeys(FaultKind.WORKER, FaultKind.NODE);
        assertThat((double) Objects.requireNonNull(counts.get(FaultKind.WORKER)) / planned.size())
                .isBetween(0.73, 0.77);
    }

    @Test
    void of_intervals_areBetweenAHalfAndOneAndAHalf() {
        long before = 0;
        for (FaultSchedule.Planned planned : FaultSchedule.of(weather(WEIGHTS, 3))) {
            assertThat(planned.atNanos() - before).isBetween(1_000_000_000L, 3_000_000_000L);
            assertThat(planned.draw()).isBetween(0.0, 1.0);
            before = planned.atNanos();
        }
        assertThat(before).isLessThan(Duration.ofMinutes(10).toNanos());
    }

    @Test
    void choose_draw_isAPlaceInTheList() {
        List<String> candidates = List.of("a", "b", "c");

        assertThat(new FaultSchedule.Planned(1, 0, FaultKind.WORKER, 0).choose(candidates))
                .isEqualTo("a");
        assertThat(new FaultSchedule.Planned(1, 0, FaultKind.WORKER, 0.999).choose(candidates))
                .isEqualTo("c");
    }

    private static Weather weather(Map<FaultKind, Integer> weights, long seed) {
        return new Weather(weights, Duration.ofSeconds(2), Duration.ofMinutes(10), seed);
    }
}
