/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The contract between an agent and its workers: messages, files and variables. The only package of this module that the
 * agent sees. What programs need of it is their place in the round:
 *
 * <pre>{@code
 * import dev.elasticrun.worker.ElasticRuntime;
 * import dev.elasticrun.worker.contract.WorkerInfo;
 *
 * public final class HelloRank {
 *     public static void main(String[] args) {
 *         WorkerInfo place = ElasticRuntime.getWorkerInfo();
 *         System.out.println("rank " + place.rank() + " of " + place.worldSize() + ", round " + place.round()
 *                 + ", master " + place.masterAddr() + ":" + place.masterPort());
 *     }
 * }
 * }</pre>
 *
 * <p>The other types are for agents, and for clients in other languages that follow the same contract.
 */
@NullMarked
package dev.elasticrun.worker.contract;

import org.jspecify.annotations.NullMarked;
