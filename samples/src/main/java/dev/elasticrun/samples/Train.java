/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.ElasticLoop;
import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.ElasticState;
import dev.elasticrun.worker.collective.ReduceOp;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Data-parallel training that goes on while workers and nodes die: each step is one all-reduce and one commit, and after a
 * change of the world the loop runs again from the last commit.
 */
final class Train {
    private final TrainOptions options;
    private final DataSet.Split data;
    private final TrainingState training;
    private final ElasticState state;

    private Train(TrainOptions options) {
        this.options = options;
        data = CsvTable.read(options.data()).split();
        training = new TrainingState(new LogisticModel(data.training().width()));
        state = options.stateMebibytes() == 0
                ? ElasticState.of(training)
                : ElasticState.of(new LargeTrainingState(training, options.stateMebibytes()));
    }

    static void run(TrainOptions options) throws Exception {
        // Load first: the loop asks for a place in a round, and nobody should wait for a worker that still reads files.
        Train train = new Train(options);
        Main.requireAgent();
        ElasticLoop.run(train.state, train::work);
    }

    private void work(Collective collective) {
        Shard shard = new Shard(collective.rank(), collective.worldSize());
        while (training.step() < options.steps()) {
            double[] sums = withRound(training.model().sums(data.training(), shard), collective);
            collective.allReduce(sums, ReduceOp.SUM);
            double loss = training.advance(sums, options.learningRate(), (long) sums[sums.length - 1]);
            state.commit();
            ElasticRuntime.metric("loss", loss);
            report(collective, loss);
            if (!isHurried()) {
                StepTime.pass(options.stepTime(), collective.round());
            }
        }
        if (collective.rank() == 0) {
            double accuracy = training.model().accuracy(data.heldOut());
            System.out.println(String.format(
                    Locale.ROOT,
                    "accuracy %.4f on %d held-out rows; loss %.6f; steps %d; rounds seen %d",
                    accuracy,
                    data.heldOut().rows(),
                    training.model().loss(data.training()),
                    training.step(),
                    training.roundsSeen()));
            ElasticRuntime.result(String.format(Locale.ROOT, "%.4f", accuracy).getBytes(StandardCharsets.UTF_8));
        }
    }

    /**
     * Adds the round as rank 0 sees it: as a part of the result it is the same for all, also for a worker that was replaced
     * and receives in a later round what it had missed. What {@code round()} returns is not, and must not get into the state.
     */
    private static double[] withRound(double[] sums, Collective collective) {
        double[] more = Arrays.copyOf(sums, sums.length + 1);
        more[sums.length] = collective.rank() == 0 ? collective.round() : 0;
        return more;
    }

    private boolean isHurried() {
        @Nullable Path hurry = options.hurry();
        return hurry != null && Files.exists(hurry);
    }

    private void report(Collective collective, double loss) {
        int step = training.step();
        if (step % options.reportEvery() != 0 && step != options.steps()) {
            return;
        }
        ElasticRuntime.progress(step, options.steps());
        if (collective.rank() == 0) {
            System.out.println(String.format(
                    Locale.ROOT,
                    "step %d/%d loss %.4f world %d round %d",
                    step,
                    options.steps(),
                    loss,
                    collective.worldSize(),
                    collective.round()));
        }
    }
}
