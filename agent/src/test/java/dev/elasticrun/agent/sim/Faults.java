/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import dev.elasticrun.rendezvous.codec.StoredRecords;
import dev.elasticrun.rendezvous.record.FailureHistory;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.store.KeyValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What can go wrong, each as one thing that is done to the cluster now. */
final class Faults {
    /** Failures of its workers with which a node can be kept out; fewer never do. */
    private static final int MAY_FAIL = 3;

    private final SimulatedCluster cluster;
    private final Random random;
    private final boolean unequalSlots;

    Faults(SimulatedCluster cluster) {
        this.cluster = cluster;
        this.random = cluster.random;
        this.unequalSlots = random.nextInt(3) == 0;
    }

    /** Any of them; the common ones more often. */
    void any() {
        switch (random.nextInt(30)) {
            case 0, 1 -> node().ifPresent(this::lose);
            case 2 -> {
                node().ifPresent(this::lose);
                node().ifPresent(this::lose);
            }
            case 3 -> coordinator().ifPresent(this::lose);
            case 4 -> coordinator().ifPresent(node -> freeze(node, aroundTheLease()));
            case 5, 6 -> node().ifPresent(node -> freeze(node, upTo(8000)));
            case 7, 8, 9, 10 -> worker().ifPresent(worker -> worker.fail(random.nextBoolean() ? 1 : 137));
            case 11 -> worker().filter(cluster.mesh::isMissed).ifPresent(SimulatedWorker::hang);
            case 12, 13 -> grow();
            case 14 -> node().ifPresent(this::drain);
            case 15, 16 -> outage(upTo(6000));
            case 17 -> breakWatches();
            case 18 -> deafenWatches();
            case 19 -> compact();
            case 20, 21 -> node().ifPresent(node -> partition(node, upTo(6000)));
            case 22 -> coordinator().ifPresent(node -> partition(node, upTo(6000)));
            case 23 -> node().ifPresent(node -> slow(node, upTo(8000)));
            case 24 -> coordinator().ifPresent(node -> slow(node, upTo(8000)));
            case 25 -> full(upTo(5000));
            case 26 -> cutWorkers(upTo(12_000));
            case 27, 28 -> coordinator().ifPresent(node -> delayNext(node, "/round"));
            default -> failStarts(upTo(1500));
        }
    }

    Duration upTo(int millis) {
        return upTo(random, millis);
    }

    Duration upTo(Random by, int millis) {
        return Duration.ofMillis(100 + by.nextInt(millis));
    }

    private Duration aroundTheLease() {
        return Duration.ofMillis(2500 + random.nextInt(1200));
    }

    void grow() {
        if (staying().size() < cluster.maxNodes() + 2) {
            cluster.join(unequalSlots ? 1 + random.nextInt(3) : 1);
        }
    }

    /** The process is killed, or the host is gone without a word; often another one comes instead. */
    void lose(SimulatedNode node) {
        if (random.nextBoolean()) {
            kill(node);
        } else {
            powerOff(node);
        }
        if (random.nextInt(4) > 0) {
            cluster.time.after(Duration.ofMillis(random.nextInt(5000)), this::grow);
        }
    }

    void kill(SimulatedNode node) {
        cluster.time.note(node.nodeId + ": CRASH");
        node.crash();
        cluster.control.died(node);
    }

    void powerOff(SimulatedNode node) {
        cluster.time.note(node.nodeId + ": POWER OFF");
        node.powerOff();
        cluster.control.vanished(node);
    }

    void freeze(SimulatedNode node, Duration length) {
        if (node.loop.frozen()) {
            return;
        }
        boolean workersToo = random.nextBoolean();
        cluster.time.note(
                node.nodeId + ": FREEZES for " + length.toMillis() + " ms" + (workersToo ? " with its workers" : ""));
        node.freeze(length, workersToo);
        cluster.time.after(length, () -> cluster.time.note(node.nodeId + ": GOES ON"));
    }

    void drain(SimulatedNode node) {
        cluster.time.note(node.nodeId + ": DRAIN");
        node.agent().drain();
    }

    void outage(Duration length) {
        boolean extend = random.nextBoolean();
        outage(length, random.nextBoolean(), extend);
    }

    void outage(Duration length, boolean breakWatches, boolean extend) {
        cluster.time.note("store: DOWN for " + length.toMillis() + " ms");
        cluster.store.goDown(breakWatches);
        cluster.time.after(length, () -> {
            cluster.time.note("store: BACK" + (extend ? ", leases extended" : ""));
            cluster.store.comeBack(extend);
        });
    }

    private void breakWatches() {
        cluster.time.note("store: WATCHES BREAK");
        cluster.store.breakWatches();
    }

    private void deafenWatches() {
        cluster.time.note("store: WATCHES GO DEAF");
        cluster.store.deafenWatches();
    }

    private void compact() {
        cluster.time.note("store: COMPACTED, watches break");
        cluster.store.compact();
        cluster.store.breakWatches();
    }

    private void full(Duration length) {
        cluster.time.note("store: FULL for " + length.toMillis() + " ms");
        cluster.store.full(true);
        cluster.time.after(length, () -> {
            cluster.time.note("store: HAS SPACE");
            cluster.store.full(false);
        });
    }

    void partition(SimulatedNode node, Duration length) {
        int kind = random.nextInt(3);
        cluster.time.note(node.nodeId + ": CUT OFF from the store for " + length.toMillis() + " ms, "
                + List.of("both ways", "nobody receives from it", "it receives nothing")
                        .get(kind));
        node.store.cut(kind != 2, kind != 1);
        cluster.time.after(length, () -> {
            cluster.time.note(node.nodeId + ": CONNECTED to the store");
            node.store.mend();
        });
    }

    private void slow(SimulatedNode node, Duration length) {
        int millis = 100 + random.nextInt(1500);
        cluster.time.note(node.nodeId + ": SLOW by up to " + millis + " ms for " + length.toMillis() + " ms");
        node.store.slow(millis);
        cluster.time.after(length, () -> node.store.slow(0));
    }

    void delayNext(SimulatedNode node, String keyEnding) {
        cluster.time.note(node.nodeId + ": its next write of " + keyEnding + " WILL BE LATE");
        node.store.delayNext(keyEnding);
    }

    /** Two nodes whose workers cannot reach each other for a while. */
    record Pair(String left, String right) {}

    private void cutWorkers(Duration length) {
        twoNodes(random).ifPresent(pair -> cut(pair, length));
    }

    Optional<Pair> twoNodes(Random by) {
        List<SimulatedNode> staying = staying();
        if (staying.size() < 2) {
            return Optional.empty();
        }
        int one = by.nextInt(staying.size());
        return Optional.of(new Pair(staying.get(one).nodeId, staying.get((one + 1) % staying.size()).nodeId));
    }

    /** Two neighbours of the newest round. */
    Optional<Pair> twoMembers(Random by) {
        Round round = cluster.invariants.newest();
        int size = round == null ? 0 : round.participants().size();
        if (round == null || size < 2) {
            return Optional.empty();
        }
        int one = by.nextInt(size);
        return Optional.of(new Pair(
                round.participants().get(one).nodeId(),
                round.participants().get((one + 1) % size).nodeId()));
    }

    /** Whether all workers of the newest round are there and linked with each other. */
    boolean allWork() {
        Round round = cluster.invariants.newest();
        return round != null
                && !round.suspended()
                && round.participants().stream().allMatch(place -> cluster.node(place.nodeId())
                        .filter(node -> node.living().stream()
                                        .filter(cluster.mesh::works)
                                        .count()
                                == place.size())
                        .isPresent());
    }

    void cut(Pair pair, Duration length) {
        cut(pair);
        cluster.time.after(length, () -> mend(pair));
    }

    void cut(Pair pair) {
        cluster.time.note(pair.left() + " and " + pair.right() + " are CUT OFF from each other");
        cluster.mesh.cut(pair.left(), pair.right());
    }

    void mend(Pair pair) {
        cluster.time.note(pair.left() + " and " + pair.right() + " are CONNECTED again");
        cluster.mesh.mend(pair.left(), pair.right());
    }

    /** Nodes that were left out for a broken link not long ago. */
    Stream<FailureHistory.Trouble> linkTroubles() {
        Round round = cluster.invariants.newest();
        return round == null
                ? Stream.empty()
                : round.history().troubles().stream()
                        .filter(trouble -> !trouble.brokenLinkTo().isEmpty());
    }

    /** How long a node may still be kept out although its link was mended; nobody can know. */
    Duration longestHold() {
        Round round = cluster.invariants.newest();
        Set<String> outside = staying().stream()
                .map(node -> node.nodeId)
                .filter(nodeId -> round != null && round.participant(nodeId).isEmpty())
                .collect(Collectors.toSet());
        return linkTroubles()
                .filter(trouble -> outside.contains(trouble.nodeId()))
                .map(trouble -> ReturnInvariants.delay(trouble.strikes()).plusSeconds(5))
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /**
     * Whether a node is kept out for what it did before, or will be left out of the next restart, and comes back by
     * itself later: a coordinator that takes over counts the cool-down anew.
     *
     * @param failures of workers that are about to happen
     */
    boolean mayReturn(int failures) {
        Round round = cluster.invariants.newest();
        return round != null
                && staying().stream()
                        .anyMatch(node -> round.participant(node.nodeId).isEmpty()
                                ? wishesToBeOut(node, round)
                                : failures(node, round) + failures >= MAY_FAIL);
    }

    private boolean wishesToBeOut(SimulatedNode node, Round round) {
        KeyValue key = cluster.store.get(cluster.prefix() + "nodes/" + node.nodeId);
        boolean wishes = key != null
                && !StoredRecords.node(key.value()).reports().excluded().isEmpty();
        return wishes
                || round.history().troubles().stream()
                        .anyMatch(trouble -> trouble.nodeId().equals(node.nodeId)
                                && (!trouble.excluded().isEmpty() || trouble.strikes() > 1));
    }

    private static int failures(SimulatedNode node, Round round) {
        return round.history().troubles().stream()
                .filter(trouble -> trouble.nodeId().equals(node.nodeId))
                .mapToInt(FailureHistory.Trouble::failures)
                .sum();
    }

    boolean oneWorkerEach() {
        return staying().stream().allMatch(node -> node.slots == 1);
    }

    private void failStarts(Duration length) {
        failStarts(500, length);
    }

    void failStarts(int perMille, Duration length) {
        cluster.time.note("workers DO NOT START for " + length.toMillis() + " ms");
        cluster.startFailuresPerMille = perMille;
        cluster.time.after(length, () -> cluster.startFailuresPerMille = 0);
    }

    List<SimulatedNode> staying() {
        return cluster.nodes.stream().filter(SimulatedNode::stays).toList();
    }

    Optional<SimulatedNode> node() {
        return pick(staying());
    }

    Optional<SimulatedNode> participant() {
        Round round = cluster.invariants.newest();
        List<String> members = round == null
                ? List.of()
                : round.participants().stream().map(Participant::nodeId).toList();
        return pick(
                staying().stream().filter(node -> members.contains(node.nodeId)).toList());
    }

    Optional<SimulatedNode> coordinator() {
        KeyValue key = cluster.store.get(cluster.prefix() + "coordinator");
        return key == null
                ? Optional.empty()
                : cluster.node(new String(key.value(), StandardCharsets.UTF_8)).filter(SimulatedNode::stays);
    }

    Optional<SimulatedWorker> worker() {
        return node().flatMap(node -> pick(node.living()));
    }

    private <T> Optional<T> pick(List<T> from) {
        return pick(random, from);
    }

    <T> Optional<T> pick(Random by, List<T> from) {
        return from.isEmpty() ? Optional.empty() : Optional.of(from.get(by.nextInt(from.size())));
    }
}
