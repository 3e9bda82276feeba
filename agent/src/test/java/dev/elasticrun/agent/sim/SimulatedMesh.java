/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import static dev.elasticrun.agent.sim.RunInvariants.require;

import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerInfo;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The workers' connections: who is in which round, who misses whom, and when a round is complete. */
final class SimulatedMesh {
    private final SimulatedCluster cluster;
    private final Map<String, TreeMap<Integer, Place>> rounds = new TreeMap<>();
    private final Map<SimulatedWorker, Place> places = new LinkedHashMap<>();
    private final Set<Set<String>> cut = new HashSet<>();
    /** They have done all their work: they end, whatever they are sent. */
    private final Set<SimulatedWorker> finished = new HashSet<>();
    /** From which checkpoint each complete round continued. */
    private final Map<String, Optional<CheckpointId>> bases = new HashMap<>();

    /** A worker in a round. */
    private static final class Place {
        private final SimulatedWorker worker;
        private final String round;
        private final long number;
        private final long world;
        private final long highestVersion;
        private final int rank;
        private final PeerTable peers;
        /** It lost a peer: nothing but a newer event brings it back. */
        private boolean closed;
        /** It agreed with all others that the work is done. */
        private boolean done;

        private boolean resumed;
        /** It lost a peer while its node's deadline was over, and has not reported it. */
        private boolean owesReport;

        private Place(SimulatedWorker worker, WorkerEvent work, WorkerInfo info, PeerTable peers) {
            this.worker = worker;
            this.round = work.incarnation() + "/" + work.round();
            this.number = work.round();
            this.world = work.world();
            this.highestVersion = work.highestVersion();
            this.rank = info.rank();
            this.peers = peers;
        }
    }

    SimulatedMesh(SimulatedCluster cluster) {
        this.cluster = cluster;
    }

    void join(SimulatedWorker worker, WorkerEvent work, PeerTable peers) {
        if (finished.contains(worker)) {
            return;
        }
        Place place = new Place(worker, work, Objects.requireNonNull(work.workerInfo()), peers);
        Map<Integer, Place> round = rounds.computeIfAbsent(place.round, any -> new TreeMap<>());
        Place other = round.get(place.rank);
        require(
                other == null || !other.worker.works() || other.worker.node.crashed(),
                worker.name() + " is rank " + place.rank + " of round " + place.round + " beside "
                        + (other == null ? "" : other.worker.name()));
        round.put(place.rank, place);
        places.put(worker, place);
        worker.process.outside(cluster.millis(1, 6), () -> complete(place.round));
        worker.process.outside(SimulatedCluster.PEER_TIMEOUT, () -> giveUp(place));
    }

    void leave(SimulatedWorker worker) {
        Place place = places.remove(worker);
        if (place == null) {
            return;
        }
        Map<Integer, Place> round = rounds.getOrDefault(place.round, new TreeMap<>());
        round.remove(place.rank, place);
        if (!place.done) {
            List.copyOf(round.values()).forEach(other -> {
                boolean linked = linked(place.worker.node, other.worker.node);
                lose(other, place.rank, linked ? cluster.millis(1, 6) : SimulatedCluster.PEER_TIMEOUT);
            });
        }
    }

    /** The node's deadline was moved: workers that were past it may go on. */
    void wake(SimulatedNode node) {
        for (SimulatedWorker worker : node.workers()) {
            Place place = places.get(worker);
            if (place != null && place.owesReport) {
                place.owesReport = false;
                worker.process.outside(cluster.millis(0, 50), () -> giveUp(place));
            } else if (place != null && !place.resumed) {
                worker.process.outside(cluster.millis(0, 50), () -> complete(place.round));
            }
        }
    }

    /** Nothing more is received from this worker until it goes on. */
    void silent(SimulatedWorker worker) {
        Place place = places.get(worker);
        if (place != null) {
            cluster.time.after(SimulatedCluster.PEER_TIMEOUT, () -> {
                if (places.get(worker) == place && worker.silent()) {
                    rounds.getOrDefault(place.round, new TreeMap<>())
                            .values()
                            .forEach(other -> lose(other, place.rank, cluster.millis(1, 200)));
                }
            });
        }
    }

    /** What workers and agents of these two nodes send each other is lost. */
    void cut(String one, String other) {
        cut.add(Set.of(one, other));
        List.copyOf(places.values()).stream()
                .filter(place -> place.worker.node.nodeId.equals(one) || place.worker.node.nodeId.equals(other))
                .forEach(place -> place.worker.process.outside(SimulatedCluster.PEER_TIMEOUT, () -> giveUp(place)));
    }

    void mend(String one, String other) {
        cut.remove(Set.of(one, other));
        completeAll();
    }

    void mendAll() {
        cut.clear();
        completeAll();
    }

    private void completeAll() {
        List.copyOf(rounds.keySet()).forEach(this::complete);
    }

    private boolean linked(SimulatedNode one, SimulatedNode other) {
        return linked(one.nodeId, other.nodeId);
    }

    boolean linked(String one, String other) {
        return cut.isEmpty() || one.equals(other) || !cut.contains(Set.of(one, other));
    }

    private void lose(Place place, int lostRank, Duration delay) {
        place.worker.process.outside(delay, () -> {
            if (places.get(place.worker) != place || place.closed || place.done) {
                return;
            }
            place.owesReport = place.worker.node.deadlinePassed();
            if (place.worker.works()) {
                place.closed = true;
                if (cluster.plainWorkers) {
                    cluster.invariants.onFailure();
                    place.worker.exit(1, "lost rank " + lostRank);
                } else {
                    place.worker.send(new UpMessage.PeerLost(place.number, lostRank));
                }
            }
        });
    }

    /** The peer time-out has passed: whoever is still missing is lost. */
    private void giveUp(Place place) {
        if (places.get(place.worker) == place && !place.closed) {
            Integer missing = missing(place);
            if (missing != null) {
                lose(place, missing, Duration.ZERO);
            }
        }
    }

    private @Nullable Integer missing(Place place) {
        Map<Integer, Place> round = rounds.getOrDefault(place.round, new TreeMap<>());
        for (int rank = 0; rank < place.peers.peers().size(); rank++) {
            Place peer = round.get(rank);
            boolean there = peer != null
                    && !peer.closed
                    && peer.worker.works()
                    && !peer.worker.silent()
                    && linked(place.worker.node, peer.worker.node);
            if (!there) {
                return rank;
            }
        }
        return null;
    }

    private void complete(String name) {
        Map<Integer, Place> round = rounds.getOrDefault(name, new TreeMap<>());
        if (round.isEmpty() || round.values().stream().anyMatch(place -> missing(place) != null)) {
            return;
        }
        List<Place> all = List.copyOf(round.values());
        Optional<CheckpointId> base = bases.get(name);
        if (base == null) {
            base = cluster.checkpoints.begin(
                    name,
                    all.get(0).number,
                    all.stream().map(place -> place.worker).toList());
            bases.put(name, base);
        }
        for (Place place : all) {
            if (!place.resumed) {
                place.resumed = true;
                if (base.isEmpty() && place.highestVersion > 0 && place.worker.slot == 0) {
                    cluster.checkpoints.onLost(place.number);
                    place.worker.send(new UpMessage.StateLost(place.number, place.highestVersion));
                }
                place.worker.send(new UpMessage.Resumed(
                        place.number,
                        base.map(CheckpointId::version).orElse(0L),
                        cluster.time.nowNanos(),
                        place.world,
                        base.map(CheckpointId::world).orElse(0L)));
            }
            if (cluster.finishing && !place.done) {
                place.done = true;
                finished.add(place.worker);
                place.worker.process.outside(cluster.millis(1, 300), () -> place.worker.exit(0, ""));
            }
        }
    }

    /** The workers of a round, if all of them are there; else none. */
    List<SimulatedWorker> together(String name) {
        List<Place> all = List.copyOf(rounds.getOrDefault(name, new TreeMap<>()).values());
        return all.stream().anyMatch(place -> missing(place) != null)
                ? List.of()
                : all.stream().map(place -> place.worker).toList();
    }

    /** Nobody works in the round any more. */
    boolean isOver(String name) {
        return rounds.getOrDefault(name, new TreeMap<>()).isEmpty();
    }

    /** World of the round in which the worker works. */
    long world(SimulatedWorker worker) {
        return Objects.requireNonNull(places.get(worker)).world;
    }

    /**
     * Whether anybody would miss this worker. Agents that detect hangs by progress are not simulated: when all workers of a
     * round hang, nobody reports it.
     */
    boolean isMissed(SimulatedWorker worker) {
        Place place = places.get(worker);
        if (place == null) {
            return false;
        }
        long hung = rounds.getOrDefault(place.round, new TreeMap<>()).values().stream()
                .filter(other -> other != place && other.worker.hung())
                .count();
        return place.peers.peers().size() - 1 > hung;
    }

    /** Whether all workers of its round are there and linked with each other. */
    boolean works(SimulatedWorker worker) {
        Place place = places.get(worker);
        return place != null && place.resumed && !place.closed && missing(place) == null;
    }

    /** From now on whoever is complete ends. */
    void finish() {
        cluster.finishing = true;
        completeAll();
    }
}
