/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.elasticrun.cli.agents.Sample;
import dev.elasticrun.cli.chaos.fault.Fault;
import dev.elasticrun.cli.chaos.fault.FaultKind;
import dev.elasticrun.cli.chaos.fault.FaultSchedule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class CalmPaceTest {
    private static final long SECOND = 1_000_000_000;
    private static final long HALF_SECOND = SECOND / 2;

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

    @Test
    void of_stormWhoseQuietStretchesAreFaster_isTheirs() {
        CalmPace pace = CalmPace.of(calm(22), storm(20, 15, 60));

        assertThat(pace.isOfStorm()).isTrue();
        assertThat(pace.stepSeconds()).isEqualTo(0.02, within(1e-9));
        // From the beginning to the 14th second, and three times from the eighth second after a fault to the 14th.
        assertThat(pace.seconds()).isEqualTo(14 + 3 * 6);
        assertThat(pace.steps()).isEqualTo((14 + 3 * 6) * 50);
    }

    @Test
    void of_stormWhoseQuietStretchesAreSlower_isThatOfTheTimeBefore() {
        assertThat(CalmPace.of(calm(22), storm(23, 15, 60))).isEqualTo(CalmPace.of(calm(22)));
    }

    @Test
    void of_stormWithShortQuietStretches_isThatOfTheTimeBefore() {
        assertThat(CalmPace.of(calm(22), storm(20, 15, 25))).isEqualTo(CalmPace.of(calm(22)));
        assertThat(CalmPace.of(calm(22), storm(20, 4, 60))).isEqualTo(CalmPace.of(calm(22)));
    }

    @Test
    void of_stormWithFewerWorkersWhereItIsQuiet_isThatOfTheTimeBefore() {
        RunRecord storm = storm(20, 15, 60);
        List<Sample> fewer = storm.samples().stream()
                .map(sample -> new Sample(sample.nanos(), 1, 1, 0, sample.version()))
                .toList();

        assertThat(CalmPace.of(calm(22), run(fewer, storm.faults(), 60))).isEqualTo(CalmPace.of(calm(22)));
    }

    private static List<Sample> samples(LongUnaryOperator step, LongUnaryOperator version) {
        return LongStream.range(0, 20)
                .mapToObj(at -> new Sample(at * HALF_SECOND, 1, 2, step.applyAsLong(at), version.applyAsLong(at)))
                .toList();
    }

    private static List<Sample> calm(int stepMillis) {
        return LongStream.rangeClosed(-30, 0)
                .mapToObj(second -> sample(second, 5000 + second * 1000 / stepMillis))
                .toList();
    }

    /** After a fault nothing is done for a second, and steps are slow until the eighth one. */
    private static RunRecord storm(int quietMillis, int faultSeconds, int seconds) {
        List<Sample> samples = new ArrayList<>(calm(22));
        List<Fault> faults = new ArrayList<>();
        double steps = 5000;
        for (int second = 1; second <= seconds; second++) {
            int since = faults.isEmpty() ? Integer.MAX_VALUE : second - faults.size() * faultSeconds;
            steps += since == 1 ? 0 : 1000.0 / (since <= 8 ? 30 : quietMillis);
            samples.add(sample(second, Math.round(steps)));
            if (second % faultSeconds == 0) {
                faults.add(fault(faults.size() + 1, second));
            }
        }
        return run(samples, faults, seconds);
    }

    private static RunRecord run(List<Sample> samples, List<Fault> faults, int seconds) {
        RunRecord.Times times = new RunRecord.Times(-30 * SECOND, 0, seconds * SECOND);
        return new RunRecord("chaos-1", Path.of("logs"), times, samples, List.of(), faults, List.of());
    }

    private static Fault fault(int number, long second) {
        FaultSchedule.Planned planned = new FaultSchedule.Planned(number, second * SECOND, FaultKind.WORKER, 0.5);
        return new Fault(planned, second * SECOND, "a", 7, "");
    }

    private static Sample sample(long second, long version) {
        return new Sample(second * SECOND, 1, 2, 0, version);
    }
}
