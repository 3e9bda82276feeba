/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package dev.elasticrun.xgboost;

import org.jspecify.annotations.NullMarked;
