/* SPDX-License-Identifier: Apache-2.0 */
/** Training with XGBoost4J that continues while workers die, come and go. */
@NullMarked
package dev.elasticrun.xgboost;

import org.jspecify.annotations.NullMarked;
