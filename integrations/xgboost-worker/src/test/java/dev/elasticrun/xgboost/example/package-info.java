/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package dev.elasticrun.xgboost.example;

import org.jspecify.annotations.NullMarked;
