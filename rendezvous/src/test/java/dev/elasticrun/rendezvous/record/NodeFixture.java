/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A node whose record a test changes step by step. */
public final class NodeFixture {
    private static final int SOME_OTHER_RANK = 99;

    public final String nodeId;
    private final long createRevision;
    private String hostLabel;
    private int slots = 1;
    private int wishedPlace = NodeRecord.Reports.ANY_PLACE;
    private int spares;
    private NodePhase phase = NodePhase.READY;
    private int generation;
    private long acknowledged;
    private long stoppedRound;
    private long lastWorked;
    private int masterPort;
    private long edition;
    private HeldVersion checkpoint = HeldVersion.NONE;
    private final List<Failure> failures = new ArrayList<>();
    private final List<PeerLost> peersLost = new ArrayList<>();
    private final List<Long> provedDead = new ArrayList<>();
    private @Nullable Failure stopRun;
    private String excluded = "";
    private int firstPort = 4000;
    /** Of workers that were not started with all others of their node. */
    private final Map<Integer, Integer> attempts = new HashMap<>();
    /** Slots of workers that ended with exit code 0, and the last round in which they worked. */
    private final Map<Integer, Long> ended = new HashMap<>();
    /** Slots of workers that cannot be given a rank. */
    private final Set<Integer> withheld = new HashSet<>();

    NodeFixture(String nodeId, long createRevision) {
        this.nodeId = nodeId;
        this.hostLabel = nodeId;
        this.createRevision = createRevision;
        this.masterPort = 10_000 + (int) createRevision * 100;
    }

    public static NodeFixture of(String nodeId, long createRevision) {
        return new NodeFixture(nodeId, createRevision);
    }

    /** Its record is older than its workers' listeners. */
    public NodeFixture withoutPorts() {
        firstPort = 0;
        return this;
    }

    public NodeFixture wishes(int place) {
        wishedPlace = place;
        return this;
    }

    public NodeFixture host(String label) {
        hostLabel = label;
        return this;
    }

    /** Workers beyond its slots. */
    public NodeFixture spares(int count) {
        spares = count;
        return this;
    }

    public NodeFixture slots(int count) {
        slots = count;
        return this;
    }

    public NodeFixture phase(NodePhase value) {
        phase = value;
        return this;
    }

    public NodeFixture generation(int value) {
        generation = value;
        return this;
    }

    public NodeFixture checkpoint(long version) {
        return checkpoint(HeldVersion.of(0, 0, version));
    }

    public NodeFixture checkpoint(HeldVersion newest) {
        checkpoint = newest;
        return this;
    }

    public NodeFixture acknowledged(long round) {
        acknowledged = round;
        return this;
    }

    public NodeFixture edition(long value) {
        edition = value;
        return this;
    }

    /** All of its workers ended with exit code 0, and this is the last round in which they worked; 0 = not known. */
    public NodeFixture done(long lastRound) {
        phase = NodePhase.DONE;
        lastWorked = lastRound;
        return this;
    }

    /** One of its workers, which are elastic, ended with exit code 0, and this is the last round in which it worked. */
    public NodeFixture slotEnds(int slot, long lastRound) {
        withheld.add(slot);
        ended.put(slot, lastRound);
        return this;
    }

    /** Works in the round; who had its master endpoint reserves another. */
    public NodeFixture works(Round round) {
        phase = NodePhase.ACTIVE;
        acknowledged = round.number();
        return newMaster(round);
    }

    public NodeFixture newMaster(Round round) {
        if (round.master().port() == masterPort) {
            masterPort++;
        }
        return this;
    }

    /** It took its master endpoint back, and has not reserved another. */
    public NodeFixture noMaster() {
        masterPort = 0;
        return this;
    }

    public NodeFixture fails() {
        return fails(false);
    }

    /** One of its workers, which are elastic. */
    public NodeFixture slotFails(int slot) {
        withheld.add(slot);
        failures.add(failure(nodeId, slot, attempt(slot), false));
        return this;
    }

    /** A fresh worker starts beside the others. */
    public NodeFixture slotStarts(int slot) {
        for (int other = 0; other < slots + spares; other++) {
            attempts.putIfAbsent(other, generation);
        }
        generation++;
        attempts.put(slot, generation);
        withheld.add(slot);
        return this;
    }

    public NodeFixture slotIsReady(int slot) {
        withheld.remove(slot);
        return this;
    }

    /** Its record is an old one. */
    public NodeFixture fromBeforeItFailed() {
        failures.clear();
        withheld.clear();
        return this;
    }

    private int attempt(int slot) {
        return attempts.getOrDefault(slot, generation);
    }

    public NodeFixture fails(boolean collateral) {
        failures.add(failure(nodeId, generation, collateral));
        return this;
    }

    /** With what the worker wrote. */
    public NodeFixture failsWith(String message, String stack, List<String> lastStderr) {
        Failure failure = failure(nodeId, generation, false);
        failures.add(new Failure(
                failure.worker(),
                failure.round(),
                failure.exitCode(),
                new Failure.Evidence(FailureKind.EXCEPTION, message, stack, lastStderr, "log", ""),
                false,
                0));
        return this;
    }

    /** So long before it reported it. */
    public NodeFixture failsEarlier(long millis) {
        failures.add(failure(nodeId, generation, false).heldFor(millis));
        return this;
    }

    /** Before its process ran. */
    public NodeFixture failsToStart() {
        failures.add(new Failure(
                new Failure.Worker(nodeId, hostLabel, 0, generation, 0, 0),
                1,
                -1,
                new Failure.Evidence(FailureKind.NOT_STARTED, "no such program", "", List.of(), "log", ""),
                false,
                0));
        return this;
    }

    /** Under {@code soft}: the ordered restart is done, and the fresh workers are ready. */
    public NodeFixture restarted() {
        generation++;
        masterPort++;
        phase = NodePhase.READY;
        return this;
    }

    /** Under {@code hard}: nothing of the round runs any more, the next group waits for its ports. */
    public NodeFixture stopped(Round round) {
        stoppedRound = round.number();
        generation++;
        phase = NodePhase.STARTING;
        return this;
    }

    /** Under {@code hard}: the next group has its ports. */
    public NodeFixture reserved() {
        masterPort++;
        phase = NodePhase.READY;
        return this;
    }

    public NodeFixture loses(long round, int rank) {
        peersLost.add(new PeerLost(round, SOME_OTHER_RANK, rank));
        return this;
    }

    /** It went on in the round, of which this is its first rank, after its lease had been in doubt. */
    public NodeFixture doubts(long round, int rank) {
        peersLost.add(PeerLost.ofDoubt(round, rank));
        return this;
    }

    public NodeFixture proves(NodeFixture dead) {
        provedDead.add(dead.createRevision);
        return this;
    }

    public NodeFixture excludes(String reason) {
        excluded = reason;
        return this;
    }

    public NodeFixture stopsRun(String message) {
        stopRun = new Failure(
                new Failure.Worker(nodeId, nodeId, 0, 0, 0, 7),
                1,
                -1,
                new Failure.Evidence(FailureKind.STOPPED_THE_RUN, message, "", List.of(), "", ""),
                false,
                0);
        return this;
    }

    static Failure failure(String nodeId, int attempt, boolean collateral) {
        return failure(nodeId, 0, attempt, collateral);
    }

    private static Failure failure(String nodeId, int slot, int attempt, boolean collateral) {
        return new Failure(
                new Failure.Worker(nodeId, nodeId, slot, attempt, 0, 77),
                1,
                137,
                new Failure.Evidence(FailureKind.SIGNAL, "killed by signal 9", "", List.of(), "log", ""),
                collateral,
                0);
    }

    public NodeRecord record() {
        List<WorkerRecord> workers = new ArrayList<>();
        for (int slot = 0; slot < slots + spares; slot++) {
            boolean hasPort = firstPort != 0 && !(withheld.contains(slot) && attempt(slot) > 0);
            workers.add(new WorkerRecord(
                    slot,
                    attempt(slot),
                    1000 + slot,
                    hasPort ? firstPort + slot : 0,
                    !withheld.contains(slot),
                    phase == NodePhase.DONE ? lastWorked : ended.getOrDefault(slot, 0L)));
        }
        return new NodeRecord(
                new NodeSpec(nodeId, hostLabel, "10.0.0.1", 9000, "default", slots),
                phase,
                new NodeRecord.Group(generation, workers, failures, masterPort),
                new NodeRecord.Rounds(acknowledged, stoppedRound),
                new NodeRecord.Reports(peersLost, stopRun, excluded, wishedPlace),
                checkpoint,
                new NodeRecord.Publication(5, provedDead, edition));
    }

    public Node node() {
        return new Node(record(), createRevision);
    }
}
