/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.xgboost;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.util.TaskCompletionListener;

/** Adds predictions to the rows of a partition, some thousand rows at a time. */
final class Prediction implements MapPartitionsFunction<Row, Row> {
    private static final long serialVersionUID = 1;

    /** Values of features in one matrix. */
    private static final int VALUES = 1 << 20;

    private final byte[] model;
    private final FeatureColumns features;
    private final int[] indices;
    private final Task task;
    private final float missing;

    Prediction(byte[] model, FeatureColumns features, int[] indices, Task task, float missing) {
        this.model = model;
        this.features = features;
        this.indices = indices;
        this.task = task;
        this.missing = missing;
    }

    @Override
    public Iterator<Row> call(Iterator<Row> rows) throws Exception {
        if (!rows.hasNext()) {
            return rows;
        }
        Booster booster = XGBoost.loadModel(model);
        TaskContext context = TaskContext.get();
        booster.setParam("nthread", context.cpus());
        context.addTaskCompletionListener((TaskCompletionListener) ended -> booster.dispose());
        return new Batches(booster, rows);
    }

    /** Rows with their predictions, of which those of one matrix are in memory. */
    private final class Batches implements Iterator<Row> {
        private final Booster booster;
        private final int width;
        private final Iterator<Row> rows;
        private Iterator<Row> predicted = Collections.emptyIterator();

        Batches(Booster booster, Iterator<Row> rows) throws XGBoostError {
            this.booster = booster;
            this.width = Math.toIntExact(booster.getNumFeature());
            this.rows = rows;
        }

        @Override
        public boolean hasNext() {
            return predicted.hasNext() || rows.hasNext();
        }

        @Override
        public Row next() {
            if (!predicted.hasNext()) {
                predicted = predict(batch()).iterator();
            }
            return predicted.next();
        }

        private List<Row> batch() {
            List<Row> batch = new ArrayList<>();
            while (rows.hasNext() && (batch.isEmpty() || batch.size() < VALUES / width)) {
                batch.add(rows.next());
            }
            return batch;
        }

        private List<Row> predict(List<Row> batch) {
            try {
                DMatrix matrix = new DMatrix(values(batch), batch.size(), width, missing);
                try {
                    float[][] values = booster.predict(matrix);
                    float[][] margins = task.isClassification() ? booster.predict(matrix, true) : values;
                    List<Row> predictions = new ArrayList<>(batch.size());
                    for (int row = 0; row < values.length; row++) {
                        predictions.add(wider(batch.get(row), values[row], margins[row]));
                    }
                    return predictions;
                } finally {
                    matrix.dispose();
                }
            } catch (XGBoostError e) {
                throw new IllegalStateException("rows cannot be predicted", e);
            }
        }

        private float[] values(List<Row> batch) {
            float[] values = new float[batch.size() * width];
            for (int row = 0; row < batch.size(); row++) {
                float[] one = features.of(batch.get(row), indices);
                if (one.length != width) {
                    throw new IllegalArgumentException(features + ": " + one.length + " features (expected: " + width
                            + ", as the model was trained with)");
                }
                System.arraycopy(one, 0, values, row * width, width);
            }
            return values;
        }
    }

    /** The row with what {@link ColumnParams#withPredictions} adds. */
    private Row wider(Row row, float[] values, float[] margins) {
        Object[] wider = new Object[row.size() + (task.isClassification() ? 3 : 1)];
        for (int i = 0; i < row.size(); i++) {
            wider[i] = row.get(i);
        }
        int at = row.size();
        switch (task) {
            case BINARY -> {
                wider[at++] = Vectors.dense(-margins[0], margins[0]);
                wider[at++] = Vectors.dense(1 - (double) values[0], values[0]);
                wider[at] = values[0] > 0.5 ? 1.0 : 0.0;
            }
            case MULTICLASS -> {
                wider[at++] = vector(margins);
                Vector probabilities = vector(values);
                wider[at++] = probabilities;
                wider[at] = (double) probabilities.argmax();
            }
            case REGRESSION, RANKING -> wider[at] = (double) values[0];
        }
        return RowFactory.create(wider);
    }

    private static Vector vector(float[] values) {
        double[] wide = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            wide[i] = values[i];
        }
        return Vectors.dense(wide);
    }
}
