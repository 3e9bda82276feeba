/* SPDX-License-Identifier: Apache-2.0 */
/** Elastic runs in the executors of a Spark application: {@link dev.elasticrun.spark.ElasticSpark} starts one. */
@NullMarked
package dev.elasticrun.spark;

import org.jspecify.annotations.NullMarked;
