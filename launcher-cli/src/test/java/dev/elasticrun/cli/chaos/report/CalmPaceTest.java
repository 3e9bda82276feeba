/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.elasticrun.cli.agents.Sample;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class CalmPaceTest {
    private static final long HALF_SECOND = 500_000_000;

    @Test
    void of_checkpointOfEachStep_countsCheckpoints() {
        CalmPace pace = CalmPace.of(samples(at -> at / 10 * 40, at -> at * 25 + 1));

        assertThat(pace.counter()).isEqualTo(StepCounter.CHECKPOINTS);
        assertThat(pace.stepSeconds()).isEqualTo(0.02, within(1e-9));
        assertThat(pace.steps()).isEqualTo(18 * 25);
        assertThat(pace.seconds()).isEqualTo(9);
    }

    @Test
    void of_rareCheckpoints_countsSteps() {
        CalmPace pace = CalmPace.of(samples(at -> at * 5, at -> at / 10));

        assertThat(pace.counter()).isEqualTo(StepCounter.STEPS);
        assertThat(pace.stepSeconds()).isEqualTo(0.1, within(1e-9));
    }

    @Test
    void of_samplesThatShowNothingNew_doNotCount() {
        CalmPace pace = CalmPace.of(samples(at -> at / 4 * 10, at -> 0));

        assertThat(pace.stepSeconds()).isEqualTo(0.2, within(1e-9));
    }

    @Test
    void of_samplesOfDifferentAge_isTheSlope() {
        CalmPace pace = CalmPace.of(samples(at -> at * 50 - at % 2 * 20, at -> 0));

        assertThat(pace.stepSeconds()).isEqualTo(0.01, within(2e-4));
    }

    @Test
    void of_programThatReportsNothing_isNotKnown() {
        assertThat(CalmPace.of(samples(at -> 0, at -> 0)).stepSeconds()).isZero();
        assertThat(CalmPace.of(List.of()).counter()).isEqualTo(StepCounter.NONE);
    }

    private static List<Sample> samples(LongUnaryOperator step, LongUnaryOperator version) {
        return LongStream.range(0, 20)
                .mapToObj(at -> new Sample(at * HALF_SECOND, 1, 2, step.applyAsLong(at), version.applyAsLong(at)))
                .toList();
    }
}
