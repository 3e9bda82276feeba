/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import dev.elasticrun.worker.Snapshotable;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The state from which boosting continues: the model, its scores after each round, and the number of parts of the data.
 * The same on all ranks after each commit.
 */
final class TrainingState implements Snapshotable {
    private static final int FORMAT = 1;

    private int shards;
    private long lastRunRound;
    private int runRounds;
    private int round;
    private byte[] model = new byte[0];
    private List<String> names = List.of();
    /** By round, then by name. */
    private double[] scores = new double[0];

    /** Boosting rounds done. */
    int round() {
        return round;
    }

    /** In UBJ; empty before the first round. */
    byte[] model() {
        return model;
    }

    /** In how many parts the data is; 0 = that is not decided. */
    int shards() {
        return shards;
    }

    void shards(int count) {
        shards = count;
    }

    /** Rounds of the run in which at least one boosting round was done. */
    int runRounds() {
        return runRounds;
    }

    /** One boosting round more, done in that round of the run. The model comes later, when it is needed. */
    void advance(Map<String, Double> metrics, long runRound) {
        List<String> given = List.copyOf(metrics.keySet());
        if (round > 0 && !given.equals(names)) {
            throw new IllegalStateException("metrics: " + given + " (expected: as before, " + names + ")");
        }
        names = given;
        scores = Arrays.copyOf(scores, scores.length + names.size());
        int next = scores.length - names.size();
        for (double value : metrics.values()) {
            scores[next++] = value;
        }
        round++;
        if (runRound != lastRunRound) {
            lastRunRound = runRound;
            runRounds++;
        }
    }

    void model(byte[] bytes) {
        model = bytes;
    }

    /** Values after each round, by the names of the metrics, in XGBoost's order. */
    Map<String, double[]> history() {
        Map<String, double[]> history = new LinkedHashMap<>();
        for (int name = 0; name < names.size(); name++) {
            double[] values = new double[round];
            for (int at = 0; at < round; at++) {
                values[at] = scores[at * names.size() + name];
            }
            history.put(names.get(name), values);
        }
        return history;
    }

    /** Whether that number of rounds is done, or more of them would not help. */
    boolean isDone(int rounds, int patience) {
        return round >= rounds || (round > 0 && EarlyStopping.isOver(lastName(), lastHistory(), patience));
    }

    /** The round, from 0, after which the last metric of the last evaluation set was best. At least one was done. */
    int bestRound() {
        return EarlyStopping.best(lastName(), lastHistory());
    }

    private String lastName() {
        return names.get(names.size() - 1);
    }

    private double[] lastHistory() {
        double[] values = new double[round];
        for (int at = 0; at < round; at++) {
            values[at] = scores[(at + 1) * names.size() - 1];
        }
        return values;
    }

    @Override
    public byte[] save() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(model.length + Double.BYTES * scores.length + 256);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORMAT);
            out.writeInt(shards);
            out.writeLong(lastRunRound);
            out.writeInt(runRounds);
            out.writeInt(round);
            out.writeInt(names.size());
            for (String name : names) {
                out.writeUTF(name);
            }
            for (double score : scores) {
                out.writeDouble(score);
            }
            out.writeInt(model.length);
            out.write(model);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    @Override
    public void restore(byte[] snapshot) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(snapshot))) {
            int format = in.readUnsignedByte();
            if (format != FORMAT) {
                throw new IllegalArgumentException("state: of format " + format + " (expected: " + FORMAT + ")");
            }
            shards = in.readInt();
            lastRunRound = in.readLong();
            runRounds = in.readInt();
            round = in.readInt();
            List<String> read = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                read.add(in.readUTF());
            }
            names = List.copyOf(read);
            scores = new double[round * names.size()];
            for (int at = 0; at < scores.length; at++) {
                scores[at] = in.readDouble();
            }
            model = in.readNBytes(in.readInt());
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "state: " + snapshot.length + " bytes (expected: one that was saved)", e);
        }
    }
}
