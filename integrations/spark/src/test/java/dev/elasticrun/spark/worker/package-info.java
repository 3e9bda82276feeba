/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package dev.elasticrun.spark.worker;

import org.jspecify.annotations.NullMarked;
