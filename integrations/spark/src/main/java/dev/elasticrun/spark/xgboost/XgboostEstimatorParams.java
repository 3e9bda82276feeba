/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.xgboost;

import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamValidators;
import org.apache.spark.ml.param.StringArrayParam;

/**
 * The parameters of {@link ElasticXgboostEstimator} beside XGBoost's own: columns of rows, length of the training, and those
 * of an elastic run. {@link #explainParams} prints what each means, and its value.
 */
public abstract class XgboostEstimatorParams extends XgboostBoosterParams {
    private final ColumnParams columns;

    private final IntParam numRound;
    private final IntParam numEarlyStoppingRounds;
    private final Param<String> labelCol;
    private final Param<String> weightCol;
    private final Param<String> groupCol;
    private final Param<String> validationIndicatorCol;
    private final DoubleParam checkpointShare;
    private final IntParam minNodes;
    private final IntParam maxNodes;
    private final IntParam workersPerNode;
    private final Param<String> restartPolicy;
    private final StringArrayParam workerJavaOpts;
    private final StringArrayParam elasticOptions;
    private final Param<String> dataDirectory;

    XgboostEstimatorParams(String uid) {
        super(uid);
        columns = new ColumnParams(this);
        numRound = new IntParam(this, "numRound", "number of boosting rounds", ParamValidators.gtEq(1));
        setDefault(numRound, 1);
        numEarlyStoppingRounds = new IntParam(
                this,
                "numEarlyStoppingRounds",
                "boosting rounds without a better score of the evaluation set before the end; 0 = all are done",
                ParamValidators.gtEq(0));
        setDefault(numEarlyStoppingRounds, 0);
        labelCol = new Param<>(this, "labelCol", "name of the column of labels");
        setDefault(labelCol, "label");
        weightCol = new Param<>(this, "weightCol", "name of the column of weights; empty = all rows count the same");
        setDefault(weightCol, "");
        groupCol = new Param<>(
                this, "groupCol", "name of the column of groups that are ranked, whole numbers; for rank:*");
        setDefault(groupCol, "");
        validationIndicatorCol = new Param<>(
                this,
                "validationIndicatorCol",
                "name of a boolean column: its rows are evaluated and not trained on; empty = none");
        setDefault(validationIndicatorCol, "");
        checkpointShare = new DoubleParam(
                this,
                "checkpointShare",
                "part of the boosting rounds done that may be done again after a loss: the model is kept less often the larger it is",
                ParamValidators.inRange(0, 1));
        setDefault(checkpointShare, 0.05);
        minNodes = new IntParam(
                this, "minNodes", "executors that are needed for the training to go on", ParamValidators.gtEq(1));
        setDefault(minNodes, 1);
        maxNodes = new IntParam(
                this,
                "maxNodes",
                "executors that train at most; there is a shard of the data for each worker of so many",
                ParamValidators.gtEq(1));
        setDefault(maxNodes, 1);
        workersPerNode =
                new IntParam(this, "workersPerNode", "worker processes of an executor", ParamValidators.gtEq(1));
        setDefault(workersPerNode, 1);
        restartPolicy = new Param<>(this, "restartPolicy", "what follows the loss of a worker");
        setDefault(restartPolicy, "soft-elastic");
        workerJavaOpts = new StringArrayParam(this, "workerJavaOpts", "options of the worker processes' JVMs");
        setDefault(workerJavaOpts, new String[0]);
        elasticOptions =
                new StringArrayParam(this, "elasticOptions", "more flags of a node, as the command takes them");
        setDefault(elasticOptions, new String[0]);
        dataDirectory = new Param<>(
                this,
                "dataDirectory",
                "directory that driver and executors reach, for shards while there is training; the default is one of the default file system");
        setDefault(dataDirectory, "");
    }

    final ColumnParams columns() {
        return columns;
    }

    public final Param<String> featuresCol() {
        return columns.featuresCol;
    }

    public final StringArrayParam featuresCols() {
        return columns.featuresCols;
    }

    public final Param<String> predictionCol() {
        return columns.predictionCol;
    }

    public final Param<String> probabilityCol() {
        return columns.probabilityCol;
    }

    public final Param<String> rawPredictionCol() {
        return columns.rawPredictionCol;
    }

    public final Param<String> leafPredictionCol() {
        return columns.leafPredictionCol;
    }

    public final Param<String> contribPredictionCol() {
        return columns.contribPredictionCol;
    }

    public final Param<String> baseMarginCol() {
        return columns.baseMarginCol;
    }

    public final Param<String> objective() {
        return columns.objective;
    }

    public final DoubleParam missing() {
        return columns.missing;
    }

    public final IntParam numRound() {
        return numRound;
    }

    public final IntParam numEarlyStoppingRounds() {
        return numEarlyStoppingRounds;
    }

    public final Param<String> labelCol() {
        return labelCol;
    }

    public final Param<String> weightCol() {
        return weightCol;
    }

    public final Param<String> groupCol() {
        return groupCol;
    }

    public final Param<String> validationIndicatorCol() {
        return validationIndicatorCol;
    }

    public final DoubleParam checkpointShare() {
        return checkpointShare;
    }

    public final IntParam minNodes() {
        return minNodes;
    }

    public final IntParam maxNodes() {
        return maxNodes;
    }

    public final IntParam workersPerNode() {
        return workersPerNode;
    }

    public final Param<String> restartPolicy() {
        return restartPolicy;
    }

    public final StringArrayParam workerJavaOpts() {
        return workerJavaOpts;
    }

    public final StringArrayParam elasticOptions() {
        return elasticOptions;
    }

    public final Param<String> dataDirectory() {
        return dataDirectory;
    }

    public final ElasticXgboostEstimator setFeaturesCol(String name) {
        return with(columns.featuresCol, name);
    }

    /** Features are in columns of numbers of their own. */
    public final ElasticXgboostEstimator setFeaturesCol(String[] names) {
        return with(columns.featuresCols, names);
    }

    public final ElasticXgboostEstimator setPredictionCol(String name) {
        return with(columns.predictionCol, name);
    }

    public final ElasticXgboostEstimator setProbabilityCol(String name) {
        return with(columns.probabilityCol, name);
    }

    public final ElasticXgboostEstimator setRawPredictionCol(String name) {
        return with(columns.rawPredictionCol, name);
    }

    public final ElasticXgboostEstimator setLeafPredictionCol(String name) {
        return with(columns.leafPredictionCol, name);
    }

    public final ElasticXgboostEstimator setContribPredictionCol(String name) {
        return with(columns.contribPredictionCol, name);
    }

    public final ElasticXgboostEstimator setBaseMarginCol(String name) {
        return with(columns.baseMarginCol, name);
    }

    public final ElasticXgboostEstimator setObjective(String name) {
        return with(columns.objective, name);
    }

    public final ElasticXgboostEstimator setMissing(double value) {
        return with(columns.missing, value);
    }

    public final ElasticXgboostEstimator setNumRound(int value) {
        return with(numRound, value);
    }

    public final ElasticXgboostEstimator setNumEarlyStoppingRounds(int value) {
        return with(numEarlyStoppingRounds, value);
    }

    public final ElasticXgboostEstimator setLabelCol(String value) {
        return with(labelCol, value);
    }

    public final ElasticXgboostEstimator setWeightCol(String value) {
        return with(weightCol, value);
    }

    public final ElasticXgboostEstimator setGroupCol(String value) {
        return with(groupCol, value);
    }

    public final ElasticXgboostEstimator setValidationIndicatorCol(String value) {
        return with(validationIndicatorCol, value);
    }

    public final ElasticXgboostEstimator setCheckpointShare(double value) {
        return with(checkpointShare, value);
    }

    public final ElasticXgboostEstimator setMinNodes(int value) {
        return with(minNodes, value);
    }

    public final ElasticXgboostEstimator setMaxNodes(int value) {
        return with(maxNodes, value);
    }

    public final ElasticXgboostEstimator setWorkersPerNode(int value) {
        return with(workersPerNode, value);
    }

    public final ElasticXgboostEstimator setRestartPolicy(String value) {
        return with(restartPolicy, value);
    }

    public final ElasticXgboostEstimator setWorkerJavaOpts(String... value) {
        return with(workerJavaOpts, value);
    }

    public final ElasticXgboostEstimator setElasticOptions(String... value) {
        return with(elasticOptions, value);
    }

    public final ElasticXgboostEstimator setDataDirectory(String value) {
        return with(dataDirectory, value);
    }
}
