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
                        matrix.setBaseMargin(baseMargins(batch));
                    }
                    List<Object[]> columns = wanted.of(booster, matrix);
                    List<Row> rows = new ArrayList<>(batch.size());
                    for (int row = 0; row < batch.size(); row++) {
                        rows.add(wider(batch.get(row), columns.get(row)));
                    }
                    return rows;
                } finally {
                    matrix.dispose();
                }
            } catch (XGBoostError e) {
                throw new IllegalStateException("rows cannot be predicted", e);
            }
        }

        private float[] baseMargins(List<Row> batch) {
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

    private static Row wider(Row row, Object[] columns) {
        Object[] wider = new Object[row.size() + columns.length];
        for (int i = 0; i < row.size(); i++) {
            wider[i] = row.get(i);
        }
        System.arraycopy(columns, 0, wider, row.size(), columns.length);
        return RowFactory.create(wider);
    }
}
