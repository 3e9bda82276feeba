/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.util.Map;
import java.util.Objects;

/**
 * A worker's place in one round.
 *
 * <pre>{@code
 * import dev.elasticrun.worker.ElasticRuntime;
 * import dev.elasticrun.worker.contract.WorkerInfo;
 *
 * public final class Place {
 *     public static void main(String[] args) {
 *         ElasticRuntime.main(() -> {
 *             WorkerInfo info = ElasticRuntime.getWorkerInfo();     // blocks until there is a round to work in
 *             System.out.println("rank " + info.rank() + " of " + info.worldSize() + ", " + info.localRank() + " of "
 *                     + info.localWorldSize() + " on this node, in round " + info.round());
 *         });
 *     }
 * }
 * }</pre>
 *
 * @param round the round, from 1; also the fencing token for effects outside the run
 * @param world the round in which the map of ranks last changed
 * @param ranks the worker among others
 * @param roleName name of the worker's role
 * @param master the master endpoint, which serves this round only
 * @param runtime values that the run's runtime prepared for this worker in this round; empty without one
 */
public record WorkerInfo(
        long round, long world, Ranks ranks, String roleName, Master master, Map<String, String> runtime) {

    /**
     * One among several.
     *
     * @param rank 0-based index
     * @param size how many there are
     */
    public record Place(int rank, int size) {}

    /**
     * A worker among others.
     *
     * @param local among the workers of its node
     * @param global among all workers of the round
     * @param role among the workers of its role
     * @param group its node among the nodes of the round
     */
    public record Ranks(Place local, Place global, Place role, Place group) {
        public Ranks {
            require("localRank", local);
            require("rank", global);
            require("roleRank", role);
            require("groupRank", group);
        }

        private static void require(String name, Place place) {
            if (place.rank() < 0 || place.rank() >= place.size()) {
                throw new IllegalArgumentException(
                        name + ": " + place.rank() + " (expected: 0 to " + (place.size() - 1) + ")");
            }
        }
    }

    /** An endpoint that rank 0 of the round serves. */
    public record Master(String host, int port) {
        public Master {
            Objects.requireNonNull(host, "masterAddr");
        }
    }

    public WorkerInfo {
        Objects.requireNonNull(ranks, "ranks");
        Objects.requireNonNull(roleName, "roleName");
        Objects.requireNonNull(master, "master");
        runtime = Map.copyOf(runtime);
        if (round < 1) {
            throw new IllegalArgumentException("round: " + round + " (expected: >= 1)");
        }
    }

    /**
     * 0-based index among the workers of this node in the round. Where rounds can be without single workers it can change
     * from round to round, unlike {@code LOCAL_RANK} in the environment, the slot of the process.
     */
    public int localRank() {
        return ranks.local().rank();
    }

    /** Workers of this node in the round. */
    public int localWorldSize() {
        return ranks.local().size();
    }

    /** 0-based index among all workers of the round. */
    public int rank() {
        return ranks.global().rank();
    }

    /** Workers of the round. */
    public int worldSize() {
        return ranks.global().size();
    }

    /** 0-based index among the workers of the role. */
    public int roleRank() {
        return ranks.role().rank();
    }

    /** Workers of the role. */
    public int roleWorldSize() {
        return ranks.role().size();
    }

    /** 0-based index of the node among the round's nodes. */
    public int groupRank() {
        return ranks.group().rank();
    }

    /** Nodes of the round. */
    public int groupWorldSize() {
        return ranks.group().size();
    }

    /** Host of the master endpoint. */
    public String masterAddr() {
        return master.host();
    }

    /** Port of the master endpoint. */
    public int masterPort() {
        return master.port();
    }
}
