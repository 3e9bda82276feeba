/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.xgboost;

import dev.elasticrun.spark.worker.MetricsText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.apache.spark.ml.Model;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.param.StringArrayParam;
import org.apache.spark.ml.util.DefaultParamsReadable;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/**
 * A model of XGBoost. It adds columns: {@code prediction}, of classes {@code rawPrediction} and {@code probability}, and,
 * where they have names, arrays of numbers with the leaf of each tree and with what each feature contributes.
 *
 * <p>Saved, it is Spark's metadata beside {@value #FILE}, which XGBoost in any language loads.
 */
public final class ElasticXgboostModel extends Model<ElasticXgboostModel> implements DefaultParamsWritable {
    /** XGBoost's own file of a saved model. */
    public static final String FILE = "model.ubj";

    private static final String SUMMARY = "metrics.txt";

    private final String uid;
    private final ColumnParams columns;
    private byte[] bytes = new byte[0];
    private TrainingSummary summary = new TrainingSummary(Map.of());

    /** Called by Spark, which reads values of parameters into it. */
    public ElasticXgboostModel(String uid) {
        this.uid = uid;
        columns = new ColumnParams(this);
    }

    ElasticXgboostModel(String uid, byte[] bytes, TrainingSummary summary) {
        this(uid);
        this.bytes = bytes;
        this.summary = summary;
    }

    /** Reads what {@link #write} wrote. */
    public static MLReader<ElasticXgboostModel> read() {
        return new Reader();
    }

    public static ElasticXgboostModel load(String path) {
        return read().load(path);
    }

    @Override
    public String uid() {
        return uid;
    }

    /** The model as XGBoost has it, to be disposed of by the caller. */
    public Booster booster() throws XGBoostError, IOException {
        return XGBoost.loadModel(bytes);
    }

    /** How the training went. */
    public TrainingSummary summary() {
        return summary;
    }

    @Override
    public Dataset<Row> transform(Dataset<?> dataset) {
        StructType schema = dataset.schema();
        StructType wider = transformSchema(schema);
        Prediction prediction = new Prediction(bytes, columns.layout(schema), columns.predicted());
        return dataset.toDF().mapPartitions(prediction, Encoders.row(wider));
    }

    /** @throws IllegalArgumentException naming a column of features that is missing or of another type */
    @Override
    public StructType transformSchema(StructType schema) {
        columns.check(schema);
        return columns.withPredictions(schema);
    }

    @Override
    public ElasticXgboostModel copy(ParamMap extra) {
        ElasticXgboostModel copy = copyValues(new ElasticXgboostModel(uid, bytes, summary), extra);
        copy.setParent(parent());
        return copy;
    }

    @Override
    public MLWriter write() {
        MLWriter metadata = DefaultParamsWritable.super.write();
        return new MLWriter() {
            @Override
            public void saveImpl(String path) {
                try {
                    metadata.session(sparkSession()).save(path);
                    StoredFiles files = StoredFiles.at(sc(), path);
                    files.write(FILE, bytes);
                    files.write(SUMMARY, MetricsText.write(summary.metrics()));
                } catch (IOException e) {
                    throw new UncheckedIOException(path + ": cannot be written", e);
                }
            }
        };
    }

    private static final class Reader extends MLReader<ElasticXgboostModel> {
        @Override
        public ElasticXgboostModel load(String path) {
            ElasticXgboostModel model =
                    new Metadata().read().session(sparkSession()).load(path);
            try {
                StoredFiles files = StoredFiles.at(sc(), path);
                model.bytes = files.read(FILE);
                model.summary = new TrainingSummary(MetricsText.parse(files.read(SUMMARY)));
            } catch (IOException e) {
                throw new UncheckedIOException(path + ": cannot be read", e);
            }
            return model;
        }
    }

    private static final class Metadata implements DefaultParamsReadable<ElasticXgboostModel> {}

    /** The column with the leaf of each tree; empty = none. */
    public ElasticXgboostModel setLeafPredictionCol(String name) {
        set(columns.leafPredictionCol, name);
        return this;
    }

    /** The column with what each feature, and the bias, add to the margin; empty = none. */
    public ElasticXgboostModel setContribPredictionCol(String name) {
        set(columns.contribPredictionCol, name);
        return this;
    }

    public Param<String> featuresCol() {
        return columns.featuresCol;
    }

    public StringArrayParam featuresCols() {
        return columns.featuresCols;
    }

    public Param<String> predictionCol() {
        return columns.predictionCol;
    }

    public Param<String> probabilityCol() {
        return columns.probabilityCol;
    }

    public Param<String> rawPredictionCol() {
        return columns.rawPredictionCol;
    }

    public Param<String> leafPredictionCol() {
        return columns.leafPredictionCol;
    }

    public Param<String> contribPredictionCol() {
        return columns.contribPredictionCol;
    }

    public Param<String> baseMarginCol() {
        return columns.baseMarginCol;
    }

    public Param<String> objective() {
        return columns.objective;
    }

    public DoubleParam missing() {
        return columns.missing;
    }
}
