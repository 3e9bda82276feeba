/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

/** What training comes to when nothing happens: the same steps in one thread. */
public final class FaultFree {
    private FaultFree() {}

    /** The loss on the shipped data's training rows after so many steps of the default size. */
    public static double loss(int steps) {
        DataSet training = BreastCancer.split().training();
        LogisticModel model = new LogisticModel(training.width());
        for (int step = 0; step < steps; step++) {
            model.learn(model.sums(training, Shard.WHOLE), TrainOptions.DEFAULT_LEARNING_RATE);
        }
        return model.loss(training);
    }
}
