/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.util.Map;
import java.util.Objects;

/**
 * A worker's place in one round.
 *
 * @param round the round, from 1; also the fencing token for effects outside the run
 * @param world the round in which the map of ranks last changed
 * @param localRank 0-based index among the workers of this node
 * @param localWorldSize workers of this node
 * @param rank 0-based index among all workers of the round
 * @param worldSize workers of the round
 * @param roleName name of the worker's role
 * @param roleRank 0-based index among the workers of the role
 * @param roleWorldSize workers of the role
 * @param groupRank 0-based index of the node among the round's nodes
 * @param groupWorldSize nodes of the round
 * @param masterAddr host of the master endpoint, which serves this round only
 * @param masterPort port of the master endpoint
 * @param runtime values that the run's runtime prepared for this worker in this round; empty without one
 */
public record WorkerInfo(
        long round,
        long world,
        int localRank,
        int localWorldSize,
        int rank,
        int worldSize,
        String roleName,
        int roleRank,
        int roleWorldSize,
        int groupRank,
        int groupWorldSize,
        String masterAddr,
        int masterPort,
        Map<String, String> runtime) {

    public WorkerInfo {
        Objects.requireNonNull(roleName, "roleName");
        Objects.requireNonNull(masterAddr, "masterAddr");
        runtime = Map.copyOf(runtime);
        requireIndex("localRank", localRank, localWorldSize);
        requireIndex("rank", rank, worldSize);
        requireIndex("roleRank", roleRank, roleWorldSize);
        requireIndex("groupRank", groupRank, groupWorldSize);
        if (round < 1) {
            throw new IllegalArgumentException("round: " + round + " (expected: >= 1)");
        }
    }

    private static void requireIndex(String name, int value, int size) {
        if (value < 0 || value >= size) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: 0 to " + (size - 1) + ")");
        }
    }
}
