/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Values of the operations that all workers of a round perform together, and how they fail.
 *
 * <pre>{@code
 * import dev.elasticrun.worker.Collective;
 * import dev.elasticrun.worker.ElasticRuntime;
 * import dev.elasticrun.worker.collective.ReduceOp;
 * import dev.elasticrun.worker.collective.WorldChangedException;
 *
 * public final class MeanOfRanks {
 *     public static void main(String[] args) {
 *         ElasticRuntime.main(MeanOfRanks::run);
 *     }
 *
 *     private static void run() {
 *         while (true) {
 *             Collective collective = ElasticRuntime.join();
 *             try {
 *                 double[] sum = {collective.rank()};
 *                 collective.allReduce(sum, ReduceOp.SUM);
 *                 if (collective.rank() == 0) {
 *                     System.out.println(sum[0] / collective.worldSize());
 *                 }
 *                 collective.close();
 *                 return;
 *             } catch (WorldChangedException e) {
 *                 // A worker was lost, or one joined: again, in the next round.
 *             }
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>{@link dev.elasticrun.worker.ElasticLoop} has this loop, and brings back the state.
 */
@NullMarked
package dev.elasticrun.worker.collective;

import org.jspecify.annotations.NullMarked;
