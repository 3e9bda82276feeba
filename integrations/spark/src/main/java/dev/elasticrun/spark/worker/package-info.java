/* SPDX-License-Identifier: Apache-2.0 */
/** What the workers of an estimator run, in processes of their own with the class path of an executor. */
@NullMarked
package dev.elasticrun.spark.worker;

import org.jspecify.annotations.NullMarked;
