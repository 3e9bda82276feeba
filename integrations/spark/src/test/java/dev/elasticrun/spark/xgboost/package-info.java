/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package dev.elasticrun.spark.xgboost;

import org.jspecify.annotations.NullMarked;
