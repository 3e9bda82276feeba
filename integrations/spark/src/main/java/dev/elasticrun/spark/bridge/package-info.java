/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What crosses between the class loader of Spark's programs and that of agents: types of the JDK and of this package. Both
 * sides have other versions of the same libraries, Netty above all.
 */
@NullMarked
package dev.elasticrun.spark.bridge;

import org.jspecify.annotations.NullMarked;
