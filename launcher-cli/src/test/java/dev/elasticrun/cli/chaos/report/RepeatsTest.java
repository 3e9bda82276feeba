/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RepeatsTest {
    @Test
    void of_roundThatGoesOn_isNone() {
        EventList events = new EventList()
                .round(1, 0, 0, "a", "b")
                .progressed("a", 100, 1)
                .paused("a", 1000, 40, 40)
                .round(2, 1030, 40, "a")
                .progressed("a", 1100, 41);

        assertThat(Repeats.of(events.all(), StepCounter.STEPS)).isEqualTo(new Repeats(0, 0, 0));
    }

    @Test
    void of_roundThatGoesBack_countsWhatIsDoneAgainOnce() {
        EventList events = new EventList()
                .round(1, 0, 0, "a", "b")
                .progressed("a", 100, 1)
                .paused("a", 1000, 45, 4)
                .round(2, 1030, 3, "a")
                .progressed("a", 1100, 31)
                .progressed("b", 1101, 31)
                .paused("a", 2000, 60, 5)
                .round(3, 2030, 5, "a", "b")
                .progressed("a", 2100, 51);

        assertThat(Repeats.of(events.all(), StepCounter.STEPS)).isEqualTo(new Repeats(15 + 10, 1, 0));
        assertThat(Repeats.of(events.all(), StepCounter.CHECKPOINTS)).isEqualTo(new Repeats(1, 1, 0));
    }

    @Test
    void of_stateThatIsLost_isCountedForEachRound() {
        EventList events = new EventList()
                .round(1, 0, 0, "a", "b")
                .paused("a", 1000, 9, 9)
                .round(2, 1030, 0, "a", "b")
                .lost("a", 1060, 9)
                .lost("b", 1061, 9);

        assertThat(Repeats.of(events.all(), StepCounter.CHECKPOINTS)).isEqualTo(new Repeats(9, 9, 1));
    }
}
