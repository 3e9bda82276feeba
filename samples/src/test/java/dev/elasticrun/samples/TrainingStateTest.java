/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class TrainingStateTest {
    private static final DataSet TRAINING = BreastCancer.split().training();

    @Test
    void goesOnFromASnapshotAsIfNothingHadHappened() {
        TrainingState undisturbed = advanced(fresh(), 20, 1);
        TrainingState original = advanced(fresh(), 12, 1);

        TrainingState restored = fresh();
        restored.restore(original.save());

        assertThat(restored.step()).isEqualTo(12);
        advanced(restored, 8, 1);
        assertThat(restored.save()).isEqualTo(undisturbed.save());
    }

    @Test
    void countsTheRoundsThatDidSteps() {
        TrainingState state = advanced(advanced(fresh(), 3, 1), 2, 4);

        assertThat(state.step()).isEqualTo(5);
        assertThat(state.roundsSeen()).isEqualTo(2);
        TrainingState restored = fresh();
        restored.restore(state.save());
        assertThat(advanced(restored, 1, 4).roundsSeen()).isEqualTo(2);
        assertThat(advanced(restored, 1, 5).roundsSeen()).isEqualTo(3);
    }

    @Test
    void refusesTheSnapshotOfAnotherModel() {
        assertThatThrownBy(() -> fresh().restore(new byte[7])).hasMessage("snapshot: 7 bytes (expected: 264)");
    }

    private static TrainingState fresh() {
        return new TrainingState(new LogisticModel(TRAINING.width()));
    }

    private static TrainingState advanced(TrainingState state, int steps, long round) {
        for (int step = 0; step < steps; step++) {
            double loss = state.advance(state.model().sums(TRAINING, Shard.WHOLE), 0.5, round);
            assertThat(loss).isPositive();
        }
        return state;
    }
}
