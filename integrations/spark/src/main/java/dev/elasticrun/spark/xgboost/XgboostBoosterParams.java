/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.xgboost;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamValidators;
import org.apache.spark.ml.param.StringArrayParam;
import scala.Option;

/** XGBoost's own parameters of {@link ElasticXgboostEstimator}, under the names that XGBoost4J-Spark has for them. */
public abstract class XgboostBoosterParams extends Estimator<ElasticXgboostModel> {
    private final String uid;
    private final List<Param<?>> natives = new ArrayList<>();

    private final Param<String> evalMetric;
    private final IntParam numClass;
    private final IntParam maxDepth;
    private final IntParam maxLeaves;
    private final IntParam maxBins;
    private final DoubleParam eta;
    private final DoubleParam gamma;
    private final DoubleParam minChildWeight;
    private final DoubleParam maxDeltaStep;
    private final DoubleParam subsample;
    private final DoubleParam colsampleBytree;
    private final DoubleParam colsampleBylevel;
    private final DoubleParam colsampleBynode;
    private final DoubleParam lambda;
    private final DoubleParam alpha;
    private final DoubleParam scalePosWeight;
    private final DoubleParam baseScore;
    private final Param<String> treeMethod;
    private final Param<String> growPolicy;
    private final IntParam seed;
    private final IntParam nthread;
    private final StringArrayParam xgboostParams;

    XgboostBoosterParams(String uid) {
        this.uid = uid;
        evalMetric = own(new Param<>(
                this,
                "eval_metric",
                "what the model is judged by after each round; the default is that of the objective"));
        numClass =
                whole("num_class", "number of classes of multi:softprob; the default is the greatest label and one", 2);
        maxDepth = whole("max_depth", "maximum depth of a tree", 0);
        maxLeaves = whole("max_leaves", "maximum number of leaves of a tree", 0);
        maxBins = whole("max_bin", "maximum number of bins of a feature", 2);
        eta = own(new DoubleParam(this, "eta", "learning rate", ParamValidators.inRange(0, 1)));
        gamma = nonNegative("gamma", "minimum loss reduction of a split");
        minChildWeight = nonNegative("min_child_weight", "minimum sum of weights in a leaf");
        maxDeltaStep = nonNegative("max_delta_step", "maximum output of a leaf; 0 = any");
        subsample = part("subsample", "part of the rows that a tree is made of");
        colsampleBytree = part("colsample_bytree", "part of the features that a tree is made of");
        colsampleBylevel = part("colsample_bylevel", "part of the features that a level is made of");
        colsampleBynode = part("colsample_bynode", "part of the features that a split is made of");
        lambda = nonNegative("lambda", "L2 regularisation");
        alpha = nonNegative("alpha", "L1 regularisation");
        scalePosWeight = nonNegative("scale_pos_weight", "weight of positive rows");
        baseScore = own(new DoubleParam(this, "base_score", "prediction before the first round"));
        treeMethod = own(new Param<>(this, "tree_method", "how trees are made"));
        growPolicy = own(new Param<>(this, "grow_policy", "depthwise or lossguide"));
        seed = own(new IntParam(this, "seed", "seed of sampling"));
        nthread = whole(
                "nthread",
                "threads of a worker; the default is the processors of a task, divided among its workers",
                1);
        xgboostParams = new StringArrayParam(this, "xgboostParams", "more parameters of XGBoost, as name=value");
        setDefault(xgboostParams, new String[0]);
    }

    private IntParam whole(String name, String meaning, int least) {
        return own(new IntParam(this, name, meaning, ParamValidators.gtEq(least)));
    }

    private DoubleParam nonNegative(String name, String meaning) {
        return own(new DoubleParam(this, name, meaning, ParamValidators.gtEq(0)));
    }

    /** More than nothing, up to all. */
    private DoubleParam part(String name, String meaning) {
        return own(new DoubleParam(this, name, meaning, ParamValidators.inRange(0, 1, false, true)));
    }

    private <P extends Param<?>> P own(P param) {
        natives.add(param);
        return param;
    }

    @Override
    public final String uid() {
        return uid;
    }

    abstract ElasticXgboostEstimator self();

    final <T> ElasticXgboostEstimator with(Param<T> param, T value) {
        set(param, value);
        return self();
    }

    final int number(IntParam param) {
        return (Integer) getOrDefault(param);
    }

    /** Parameters that were given, as XGBoost takes them. */
    final Map<String, String> nativeParameters() {
        Map<String, String> given = new LinkedHashMap<>();
        natives.forEach(param -> {
            Option<?> value = get(param);
            if (value.isDefined()) {
                given.put(param.name(), String.valueOf(value.get()));
            }
        });
        for (String more : getOrDefault(xgboostParams)) {
            int end = more.indexOf('=');
            if (end < 1) {
                throw new IllegalArgumentException("xgboostParams: '" + more + "' (expected: name=value)");
            }
            given.put(more.substring(0, end), more.substring(end + 1));
        }
        return given;
    }

    public final Param<String> evalMetric() {
        return evalMetric;
    }

    public final IntParam numClass() {
        return numClass;
    }

    public final IntParam maxDepth() {
        return maxDepth;
    }

    public final IntParam maxLeaves() {
        return maxLeaves;
    }

    public final IntParam maxBins() {
        return maxBins;
    }

    public final DoubleParam eta() {
        return eta;
    }

    public final DoubleParam gamma() {
        return gamma;
    }

    public final DoubleParam minChildWeight() {
        return minChildWeight;
    }

    public final DoubleParam maxDeltaStep() {
        return maxDeltaStep;
    }

    public final DoubleParam subsample() {
        return subsample;
    }

    public final DoubleParam colsampleBytree() {
        return colsampleBytree;
    }

    public final DoubleParam colsampleBylevel() {
        return colsampleBylevel;
    }

    public final DoubleParam colsampleBynode() {
        return colsampleBynode;
    }

    public final DoubleParam lambda() {
        return lambda;
    }

    public final DoubleParam alpha() {
        return alpha;
    }

    public final DoubleParam scalePosWeight() {
        return scalePosWeight;
    }

    public final DoubleParam baseScore() {
        return baseScore;
    }

    public final Param<String> treeMethod() {
        return treeMethod;
    }

    public final Param<String> growPolicy() {
        return growPolicy;
    }

    public final IntParam seed() {
        return seed;
    }

    public final IntParam nthread() {
        return nthread;
    }

    public final StringArrayParam xgboostParams() {
        return xgboostParams;
    }

    public final ElasticXgboostEstimator setEvalMetric(String value) {
        return with(evalMetric, value);
    }

    public final ElasticXgboostEstimator setNumClass(int value) {
        return with(numClass, value);
    }

    public final ElasticXgboostEstimator setMaxDepth(int value) {
        return with(maxDepth, value);
    }

    public final ElasticXgboostEstimator setMaxLeaves(int value) {
        return with(maxLeaves, value);
    }

    public final ElasticXgboostEstimator setMaxBins(int value) {
        return with(maxBins, value);
    }

    public final ElasticXgboostEstimator setEta(double value) {
        return with(eta, value);
    }

    public final ElasticXgboostEstimator setGamma(double value) {
        return with(gamma, value);
    }

    public final ElasticXgboostEstimator setMinChildWeight(double value) {
        return with(minChildWeight, value);
    }

    public final ElasticXgboostEstimator setMaxDeltaStep(double value) {
        return with(maxDeltaStep, value);
    }

    public final ElasticXgboostEstimator setSubsample(double value) {
        return with(subsample, value);
    }

    public final ElasticXgboostEstimator setColsampleBytree(double value) {
        return with(colsampleBytree, value);
    }

    public final ElasticXgboostEstimator setColsampleBylevel(double value) {
        return with(colsampleBylevel, value);
    }

    public final ElasticXgboostEstimator setColsampleBynode(double value) {
        return with(colsampleBynode, value);
    }

    public final ElasticXgboostEstimator setLambda(double value) {
        return with(lambda, value);
    }

    public final ElasticXgboostEstimator setAlpha(double value) {
        return with(alpha, value);
    }

    public final ElasticXgboostEstimator setScalePosWeight(double value) {
        return with(scalePosWeight, value);
    }

    public final ElasticXgboostEstimator setBaseScore(double value) {
        return with(baseScore, value);
    }

    public final ElasticXgboostEstimator setTreeMethod(String value) {
        return with(treeMethod, value);
    }

    public final ElasticXgboostEstimator setGrowPolicy(String value) {
        return with(growPolicy, value);
    }

    public final ElasticXgboostEstimator setSeed(int value) {
        return with(seed, value);
    }

    public final ElasticXgboostEstimator setNthread(int value) {
        return with(nthread, value);
    }

    public final ElasticXgboostEstimator setXgboostParams(String... value) {
        return with(xgboostParams, value);
    }
}
