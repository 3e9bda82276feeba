/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.worker;

/**
 * The rows of a shard, in memory.
 *
 * @param labels one for each row
 * @param features row by row
 * @param weights one for each row; empty = all count the same
 * @param margins that each row begins with; empty = all begin with the base score
 * @param groups for each row the group that it is ranked in, next to each other; empty = no row is ranked
 * @param bytes that were read for them, compressed as they are stored
 */
record Shard(float[] labels, float[] features, float[] weights, float[] margins, long[] groups, long bytes) {}
