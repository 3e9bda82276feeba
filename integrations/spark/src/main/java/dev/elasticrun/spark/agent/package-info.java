/* SPDX-License-Identifier: Apache-2.0 */
/** Agents behind the bridge. Loaded by a class loader that has agents and their libraries, and nothing of Spark. */
@NullMarked
package dev.elasticrun.spark.agent;

import org.jspecify.annotations.NullMarked;
