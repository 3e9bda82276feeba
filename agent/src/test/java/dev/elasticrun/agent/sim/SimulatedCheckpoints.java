/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import static dev.elasticrun.agent.sim.RunInvariants.require;

import dev.elasticrun.agent.SimulatedAgent;
import dev.elasticrun.rendezvous.codec.StoredRecords;
import dev.elasticrun.rendezvous.record.HeldVersion;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.StateSource;
import dev.elasticrun.rendezvous.sim.SimulatedStoreClient.Origin;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.worker.contract.CheckpointFiles;
import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.contract.UpMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * The checkpoints in the files of nodes: workers of a complete round commit together, and those of the next one continue
 * from the newest that a node of theirs has. No round may go back behind what a live node without a rank has. Draws from
 * random numbers of its own, so that a seed shows the same faults with and without.
 */
final class SimulatedCheckpoints {
    private static final Duration STATE_WAIT = Duration.ofSeconds(10);
    /** A transfer during which a process stood still for some seconds is followed by a pause of ten times as much. */
    private static final Duration COPIED_WITHIN = Duration.ofSeconds(40);

    private static final int REPORTED = 8;

    private final SimulatedCluster cluster;
    private final Random random;
    private final Map<String, CheckpointId> held = new HashMap<>();
    /** Without what a node committed after a round without it was sealed. */
    private final Map<String, CheckpointId> counted = new HashMap<>();

    /** What nodes without a rank copied last. */
    private final Map<String, CheckpointId> copied = new HashMap<>();

    private Unprotected unprotected = new Unprotected(0, List.of(), 0, 0);
    private long lostIn;
    private final Map<Long, Holder> expected = new HashMap<>();
    private final Set<Long> givenUp = new HashSet<>();

    /** Nodes without a rank beside the only one that works, since when, and what it had committed then. */
    private record Unprotected(long round, List<SimulatedNode> idle, long sinceNanos, long version) {
        boolean isOf(Unprotected other) {
            return round == other.round && idle.equals(other.idle);
        }
    }

    /** A node that had this when a round was sealed without it. */
    private record Holder(SimulatedNode node, CheckpointId id) {}

    SimulatedCheckpoints(SimulatedCluster cluster, long seed) {
        this.cluster = cluster;
        this.random = new Random(seed);
    }

    /** The newest in the files of the node. */
    Optional<CheckpointId> newest(SimulatedNode node) {
        return Optional.ofNullable(held.get(node.nodeId));
    }

    /** As workers report it; 0 = none. */
    long version(SimulatedNode node) {
        return newest(node)
                .filter(id -> node.agent().incarnation().equals(Optional.of(id.incarnation())))
                .map(CheckpointId::version)
                .orElse(0L);
    }

    /** No node of the round has any: what others have is of another history from now on. */
    void onLost(long round) {
        lostIn = Math.max(lostIn, round);
    }

    void onIncarnation() {
        expected.clear();
        lostIn = 0;
        givenUp.clear();
    }

    /** A round was written: what its writer can know of nodes that have no rank in it. */
    void onSealed(Round round, Origin writer) {
        KeyRange nodes = KeyRange.prefix(cluster.prefix() + "nodes/");
        for (SimulatedNode node : cluster.nodes) {
            KeyValue key = cluster.store.get(nodes.from() + node.nodeId);
            if (key != null
                    && writer.knew(nodes, key.modRevision())
                    && isThere(node)
                    && round.participant(node.nodeId).isEmpty()) {
                known(node, key)
                        .filter(id -> id.world() >= lostIn)
                        .filter(id -> node.agent().incarnation().equals(Optional.of(id.incarnation())))
                        .filter(id -> isNewer(
                                id,
                                Optional.ofNullable(expected.get(round.number()))
                                        .map(Holder::id)))
                        .ifPresent(id -> expected.put(round.number(), new Holder(node, id)));
            }
        }
    }

    /** What the writer of a round can know that this node has: a copy counts once the node's record reports it. */
    private Optional<CheckpointId> known(SimulatedNode node, KeyValue key) {
        Optional<CheckpointId> own = Optional.ofNullable(counted.get(node.nodeId));
        CheckpointId copy = copied.get(node.nodeId);
        if (copy == null || !isNewer(copy, own)) {
            return own;
        }
        HeldVersion reported = StoredRecords.node(key.value()).checkpoint();
        return reported.compareTo(HeldVersion.of(reported.since(), copy.world(), copy.version())) >= 0
                ? Optional.of(copy)
                : own;
    }

    /**
     * All workers of a round are connected: they agree on the newest that their nodes have, and commit from now on.
     *
     * @return that checkpoint
     */
    Optional<CheckpointId> begin(String name, long number, List<SimulatedWorker> workers) {
        String incarnation = name.substring(0, name.indexOf('/'));
        Optional<CheckpointId> base = workers.stream()
                .flatMap(worker -> newest(worker.node).stream())
                .filter(id -> id.incarnation().equals(incarnation))
                .max(CheckpointFiles.NEWEST);
        long version = base.map(CheckpointId::version).orElse(0L);
        Holder holder = expected.get(number);
        if (holder != null && !givenUp.contains(number)) {
            boolean reachable = isThere(holder.node())
                    && workers.stream()
                            .allMatch(worker -> cluster.mesh.linked(worker.node.nodeId, holder.node().nodeId));
            require(
                    !reachable || !isNewer(holder.id(), base),
                    "round " + number + " goes back to " + base + ", but " + holder.node().nodeId + " has "
                            + holder.id());
        }
        base.ifPresent(id -> workers.forEach(worker -> keep(worker.node, id, true)));
        later(name, version);
        return base;
    }

    private void later(String name, long last) {
        cluster.time.after(Duration.ofMillis(100 + random.nextInt(600)), () -> commit(name, last));
    }

    private void commit(String name, long last) {
        if (cluster.mesh.isOver(name)) {
            return;
        }
        List<SimulatedWorker> workers = cluster.mesh.together(name);
        if (workers.isEmpty()) {
            later(name, last);
            return;
        }
        String incarnation = name.substring(0, name.indexOf('/'));
        CheckpointId next = new CheckpointId(incarnation, cluster.mesh.world(workers.get(0)), last + 1, 0);
        Round newest = cluster.invariants.newest();
        boolean isNewest = newest != null && !newest.suspended() && name.equals(incarnation + "/" + newest.number());
        for (SimulatedWorker worker : workers) {
            keep(worker.node, next, isNewest);
            if (random.nextInt(REPORTED) == 0) {
                worker.node.stated(
                        worker,
                        Duration.ofMillis(random.nextInt(3)),
                        new UpMessage.Progress(next.version(), 0, next.version()));
            }
        }
        if (newest != null && isNewest) {
            requireCopy(newest, next.version());
        }
        later(name, next.version());
    }

    /** Where one node alone works, one that has been there for long without a rank has a copy. */
    private void requireCopy(Round round, long version) {
        SimulatedNode worker =
                cluster.node(round.participants().get(0).nodeId()).orElseThrow();
        List<SimulatedNode> idle = round.participants().size() > 1
                ? List.of()
                : cluster.nodes.stream()
                        .filter(node -> round.participant(node.nodeId).isEmpty())
                        .filter(node ->
                                isThere(node) && node.stays() && node.status().newestRound() == round.number())
                        .filter(node -> cluster.mesh.linked(node.nodeId, worker.nodeId))
                        .toList();
        Unprotected now = new Unprotected(round.number(), idle, cluster.time.nowNanos(), version);
        if (!now.isOf(unprotected)) {
            unprotected = now;
        } else if (!idle.isEmpty() && now.sinceNanos() - unprotected.sinceNanos() > COPIED_WITHIN.toNanos()) {
            long asked = unprotected.version();
            require(
                    idle.stream().anyMatch(node -> version(node) >= asked),
                    "only " + worker.nodeId + " has version " + asked + " of round " + round.number() + " after "
                            + COPIED_WITHIN + ", but "
                            + idle.stream().map(node -> node.nodeId).toList()
                            + " have no rank");
            unprotected = now;
        }
    }

    /** As an agent does before its workers continue; the last part is run in its loop. */
    void fetch(SimulatedNode node, Round round, List<StateSource> sources, Runnable then) {
        attempt(node, round, sources, cluster.time.nowNanos() + STATE_WAIT.toNanos(), then);
    }

    private void attempt(SimulatedNode node, Round round, List<StateSource> sources, long endNanos, Runnable then) {
        boolean isFetched = false;
        List<StateSource> unreachable = new ArrayList<>();
        for (StateSource source : sources) {
            SimulatedNode other = cluster.node(source.nodeId()).orElse(null);
            if (other == null || !isThere(other) || !cluster.mesh.linked(node.nodeId, other.nodeId)) {
                unreachable.add(source);
                continue;
            }
            Optional<CheckpointId> theirs = newest(other);
            if (theirs.isPresent() && isNewer(theirs.get(), newest(node))) {
                cluster.time.note(node.nodeId + ": fetches " + theirs.get() + " from " + other.nodeId);
                keep(node, theirs.get(), true);
                isFetched = true;
            }
        }
        if (isFetched) {
            newest(node).ifPresent(id -> unreachable.removeIf(source -> !source.isAheadOf(id.world(), id.version())));
        }
        if (!unreachable.isEmpty() && cluster.time.nowNanos() < endNanos) {
            node.loop.outside(Duration.ofMillis(100), () -> attempt(node, round, unreachable, endNanos, then));
            return;
        }
        if (!unreachable.isEmpty()) {
            givenUp.add(round.number());
        }
        node.loop.outside(Duration.ofMillis(1 + random.nextInt(30)), then);
    }

    /** As the agent of a node without a rank does, for which nobody waits. */
    void copy(SimulatedNode node, String from, SimulatedAgent.Copied done) {
        cluster.time.after(Duration.ofMillis(1 + random.nextInt(30)), () -> {
            SimulatedNode other = cluster.node(from).orElse(null);
            if (other == null || !isThere(other) || !cluster.mesh.linked(node.nodeId, other.nodeId)) {
                node.loop.execute(() -> done.done(Optional.empty(), 0, from + " cannot be reached"));
                return;
            }
            Optional<CheckpointId> theirs = newest(other).filter(id -> isNewer(id, newest(node)));
            theirs.ifPresent(id -> {
                keep(node, id, false);
                copied.put(node.nodeId, id);
            });
            long since = other.agent().lostIn();
            node.loop.execute(() -> done.done(theirs, since, null));
        });
    }

    private static boolean isThere(SimulatedNode node) {
        return node.alive() && !node.loop.frozen();
    }

    private void keep(SimulatedNode node, CheckpointId id, boolean counts) {
        if (isNewer(id, newest(node))) {
            held.put(node.nodeId, id);
            if (counts) {
                counted.put(node.nodeId, id);
            }
        }
    }

    private static boolean isNewer(CheckpointId id, Optional<CheckpointId> than) {
        return than.filter(known -> known.incarnation().equals(id.incarnation()))
                .filter(known -> CheckpointFiles.NEWEST.compare(id, known) <= 0)
                .isEmpty();
    }
}
