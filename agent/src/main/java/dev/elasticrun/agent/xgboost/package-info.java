/* SPDX-License-Identifier: Apache-2.0 */
/** A tracker by which the workers of a round form XGBoost's collective. */
@NullMarked
package dev.elasticrun.agent.xgboost;

import org.jspecify.annotations.NullMarked;
