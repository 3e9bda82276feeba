/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LogisticModelTest {
    private static final DataSet.Split SPLIT = BreastCancer.split();

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 7, 500})
    void shardsAddUpToTheWhole(int worldSize) {
        LogisticModel model = trained(5, 1);

        assertThat(addedUp(model, worldSize)).containsExactly(model.sums(SPLIT.training(), Shard.WHOLE), within(1e-9));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void anyNumberOfWorkersLearnsTheSame(int worldSize) {
        double one = trained(TrainOptions.DEFAULT_STEPS, 1).loss(SPLIT.training());

        assertThat(trained(TrainOptions.DEFAULT_STEPS, worldSize).loss(SPLIT.training()))
                .isCloseTo(one, within(one * 1e-9));
    }

    @ParameterizedTest
    @ValueSource(ints = {150, TrainOptions.DEFAULT_STEPS, 20_000})
    void isRightAboutHeldOutRows(int steps) {
        LogisticModel model = trained(steps, 1);

        assertThat(model.accuracy(SPLIT.heldOut())).isGreaterThanOrEqualTo(0.95);
        assertThat(model.loss(SPLIT.training())).isLessThan(0.1);
    }

    @Test
    void theGradientIsTheSlopeOfTheLoss() {
        LogisticModel model = trained(3, 1);
        double[] sums = model.sums(SPLIT.training(), Shard.WHOLE);
        double width = 1e-6;

        for (int index = 0; index < model.parameters().length; index++) {
            double at = model.parameters()[index];
            model.parameters()[index] = at + width;
            double above = model.loss(SPLIT.training());
            model.parameters()[index] = at - width;
            double below = model.loss(SPLIT.training());
            model.parameters()[index] = at;
            assertThat(sums[index] / SPLIT.training().rows()).isCloseTo((above - below) / (2 * width), within(1e-6));
        }
    }

    @Test
    void theLossStaysFiniteForHopelessScores() {
        LogisticModel model = new LogisticModel(1);
        model.parameters()[0] = 1e6;

        DataSet wrong = new DataSet(new double[][] {{1}, {-1}}, new int[] {0, 1});

        assertThat(model.loss(wrong)).isEqualTo(1e6);
        assertThat(model.accuracy(wrong)).isZero();
    }

    @Test
    void aSurplusWorkerHasNoRows() {
        double[] sums = new LogisticModel(30).sums(SPLIT.training(), new Shard(600, 601));

        assertThat(sums).containsOnly(0);
    }

    @Test
    void aRankIsInsideItsWorld() {
        assertThatThrownBy(() -> new Shard(4, 4)).hasMessage("rank: 4 (expected: 0 to 3)");
    }

    private static LogisticModel trained(int steps, int worldSize) {
        LogisticModel model = new LogisticModel(SPLIT.training().width());
        for (int step = 0; step < steps; step++) {
            model.learn(addedUp(model, worldSize), TrainOptions.DEFAULT_LEARNING_RATE);
        }
        return model;
    }

    private static double[] addedUp(LogisticModel model, int worldSize) {
        double[] total = new double[model.parameters().length + 2];
        for (int rank = 0; rank < worldSize; rank++) {
            double[] part = model.sums(SPLIT.training(), new Shard(rank, worldSize));
            for (int index = 0; index < total.length; index++) {
                total[index] += part[index];
            }
        }
        return total;
    }
}
