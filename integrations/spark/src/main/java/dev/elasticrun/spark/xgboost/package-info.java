/* SPDX-License-Identifier: Apache-2.0 */
/**
 * XGBoost in pipelines of Spark ML: an estimator that trains in executors while they are lost and come, and a model that
 * predicts there.
 */
@NullMarked
package dev.elasticrun.spark.xgboost;

import org.jspecify.annotations.NullMarked;
