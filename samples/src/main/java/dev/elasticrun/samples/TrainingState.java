/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import dev.elasticrun.worker.Snapshotable;
import java.nio.ByteBuffer;

/**
 * All that training must not lose: the model, how many steps made it, and over how many rounds. The same on every worker
 * after each step, so any worker's snapshot serves every other.
 */
final class TrainingState implements Snapshotable {
    private final LogisticModel model;
    private int step;
    private long lastRound;
    private int roundsSeen;

    TrainingState(LogisticModel model) {
        this.model = model;
    }

    LogisticModel model() {
        return model;
    }

    /** Steps done. */
    int step() {
        return step;
    }

    /** Rounds in which at least one of the steps was done. */
    int roundsSeen() {
        return roundsSeen;
    }

    /** Applies one step's added-up sums, made in the given round, and returns the loss before the step. */
    double advance(double[] sums, double learningRate, long round) {
        double loss = model.learn(sums, learningRate);
        step++;
        if (round != lastRound) {
            lastRound = round;
            roundsSeen++;
        }
        return loss;
    }

    @Override
    public byte[] save() {
        double[] parameters = model.parameters();
        ByteBuffer bytes = ByteBuffer.allocate(size());
        bytes.putInt(step).putLong(lastRound).putInt(roundsSeen);
        for (double parameter : parameters) {
            bytes.putDouble(parameter);
        }
        return bytes.array();
    }

    @Override
    public void restore(byte[] snapshot) {
        if (snapshot.length != size()) {
            throw new IllegalArgumentException("snapshot: " + snapshot.length + " bytes (expected: " + size() + ")");
        }
        ByteBuffer bytes = ByteBuffer.wrap(snapshot);
        step = bytes.getInt();
        lastRound = bytes.getLong();
        roundsSeen = bytes.getInt();
        double[] parameters = model.parameters();
        for (int index = 0; index < parameters.length; index++) {
            parameters[index] = bytes.getDouble();
        }
    }

    private int size() {
        return Integer.BYTES + Long.BYTES + Integer.BYTES + model.parameters().length * Double.BYTES;
    }
}
