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
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.util.TaskCompletionListener;

/** Adds predictions to the rows of a partition, some thousand rows at a time. */
final class Prediction implements MapPartitionsFunction<Row, Row> {
    private static final long serialVersionUID = 1;

    /** Values of features in one matrix. */
    private static final int VALUES = 1 << 20;

    private static final int ALL_TREES = 0;
    private static final float[][] NONE = {};

    private final byte[] model;
    private final RowLayout layout;
    private final Predicted wanted;

    Prediction(byte[] model, RowLayout layout, Predicted wanted) {
        this.model = model;
        this.layout = layout;
        this.wanted = wanted;
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
                DMatrix matrix = new DMatrix(values(batch), batch.size(), width, layout.missing());
                try {
                    if (layout.hasMargins()) {
                        matrix.setBaseMargin(margins(batch));
                    }
                    Task task = wanted.task();
                    float[][] values = booster.predict(matrix);
                    float[][] margins = task.isClassification() ? booster.predict(matrix, true) : values;
                    float[][] leaves = wanted.hasLeaves() ? booster.predictLeaf(matrix, ALL_TREES) : NONE;
                    float[][] contributions =
                            wanted.hasContributions() ? booster.predictContrib(matrix, ALL_TREES) : NONE;
                    List<Row> rows = new ArrayList<>(batch.size());
                    for (int row = 0; row < values.length; row++) {
                        List<Object> more = new ArrayList<>(wanted.columns());
                        task.predictions(values[row], margins[row], more::add);
                        if (wanted.hasLeaves()) {
                            more.add(leaves[row]);
                        }
                        if (wanted.hasContributions()) {
                            more.add(contributions[row]);
                        }
                        rows.add(wider(batch.get(row), more));
                    }
                    return rows;
                } finally {
                    matrix.dispose();
                }
            } catch (XGBoostError e) {
                throw new IllegalStateException("rows cannot be predicted", e);
            }
        }

        private float[] margins(List<Row> batch) {
            float[] margins = new float[batch.size()];
            for (int row = 0; row < margins.length; row++) {
                margins[row] = layout.marginOf(batch.get(row));
            }
            return margins;
        }

        private float[] values(List<Row> batch) {
            float[] values = new float[batch.size() * width];
            for (int row = 0; row < batch.size(); row++) {
                float[] one = layout.featuresOf(batch.get(row));
                if (one.length != width) {
                    throw new IllegalArgumentException(layout.features() + ": " + one.length + " features (expected: "
                            + width + ", as the model was trained with)");
                }
                System.arraycopy(one, 0, values, row * width, width);
            }
            return values;
        }
    }

    /** The row with what {@link ColumnParams#withPredictions} adds. */
    private static Row wider(Row row, List<Object> more) {
        Object[] wider = new Object[row.size() + more.size()];
        for (int i = 0; i < row.size(); i++) {
            wider[i] = row.get(i);
        }
        for (int i = 0; i < more.size(); i++) {
            wider[row.size() + i] = more.get(i);
        }
        return RowFactory.create(wider);
    }
}
