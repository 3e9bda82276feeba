/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.rendezvous.Rendezvous;
import dev.elasticrun.rendezvous.RunFounder;
import dev.elasticrun.rendezvous.loop.ThreadEventLoop;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.NodeRecords;
import dev.elasticrun.rendezvous.record.NodeSpec;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.RendezvousEvent;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.WorkerRecord;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.rendezvous.store.etcd.EtcdStore;
import dev.elasticrun.rendezvous.store.etcd.EtcdStoreConfig;
import dev.elasticrun.rendezvous.store.etcd.EtcdThreads;
import dev.elasticrun.rendezvous.terms.RendezvousConfig;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An agent whose workers are stubs that are ready at once: the real rendezvous on a connection of its own, and what the
 * real agent publishes about rounds. State is owned by the loop.
 */
final class StubAgent implements Consumer<RendezvousEvent> {
    private static final int FIRST_PORT = 20_000;

    private final String nodeId;
    private final int index;
    private final int slots;
    private final BiConsumer<StubAgent, Round> onSealed;
    private final Consumer<String> onTrouble;
    private final SharedLoop loop;
    private final EtcdStore store;
    private final Rendezvous rendezvous;
    private NodePhase phase = NodePhase.READY;
    private long acknowledged;
    private volatile long life;
    private int masterPort;
    private boolean over;
    private volatile long threadId;
    private volatile boolean coordinator;
    private volatile @Nullable Round newest;

    /** @param onSealed called in the loop for every sealed round that has a place for this agent */
    StubAgent(
            int index,
            int slots,
            String endpoint,
            ThreadEventLoop loop,
            EtcdThreads threads,
            RendezvousConfig config,
            RestartPolicyStrategy strategy,
            BiConsumer<StubAgent, Round> onSealed,
            Consumer<String> onTrouble) {
        this.index = index;
        this.slots = slots;
        this.nodeId = String.format("node-%04d-%08x", index, index * 0x9E3779B9);
        this.masterPort = FIRST_PORT + slots;
        this.onSealed = onSealed;
        this.onTrouble = onTrouble;
        this.loop = new SharedLoop(loop);
        this.store = EtcdStore.connect(EtcdStoreConfig.of(List.of(endpoint)), threads);
        this.rendezvous = new Rendezvous(
                store,
                this.loop,
                config,
                strategy,
                record(),
                new RunFounder("incarnation-" + index, new SecureRandom()),
                this);
    }

    String nodeId() {
        return nodeId;
    }

    boolean coordinator() {
        return coordinator;
    }

    @Nullable
    Round newest() {
        return newest;
    }

    /** The thread that runs the loop; 0 before {@link #start} has taken effect. */
    long threadId() {
        return threadId;
    }

    void start() {
        loop.execute(() -> {
            threadId = Thread.currentThread().getId();
            rendezvous.start();
        });
    }

    /** As a killed process: connections break, and nothing is sent any more. */
    void kill() {
        loop.kill();
        store.close();
    }

    /** What this agent, as the coordinator, knows about the leases of others. */
    CompletableFuture<Map<String, Long>> leases() {
        CompletableFuture<Map<String, Long>> known = new CompletableFuture<>();
        loop.execute(() -> known.complete(
                rendezvous.nodes().stream().collect(Collectors.toMap(NodeRecord::nodeId, node -> node.publication()
                        .leaseId()))));
        return known;
    }

    void proveDead(StubAgent dead, long leaseId) {
        loop.execute(() -> rendezvous.proveDead(dead.nodeId, dead.life, leaseId, "connection refused"));
    }

    /** Gives up the place. */
    CompletableFuture<Void> leave() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.execute(() -> {
            over = true;
            rendezvous.leave(false).whenComplete((ok, error) -> done.complete(null));
        });
        return done;
    }

    private NodeRecord record() {
        NodeSpec spec = new NodeSpec(
                nodeId,
                String.format("node-%04d", index),
                "10." + (index >> 16) + "." + (index >> 8 & 0xFF) + "." + (index & 0xFF),
                port(0),
                "default",
                slots);
        List<WorkerRecord> workers = IntStream.range(0, slots)
                .mapToObj(slot -> new WorkerRecord(slot, 0, 100_000L + slot, port(slot + 1)))
                .toList();
        return NodeRecords.of(spec, phase, workers, masterPort, acknowledged);
    }

    /** As the system hands them out: in no order. */
    private int port(int which) {
        int mixed = (index * 131 + which) * 0x9E3779B9;
        return 32_768 + (mixed >>> 16) % 28_000;
    }

    @Override
    public void accept(RendezvousEvent event) {
        if (event instanceof RendezvousEvent.Joined joined) {
            life = joined.createRevision();
        } else if (event instanceof RendezvousEvent.RoundChanged changed) {
            onRound(changed.round());
        } else if (event instanceof RendezvousEvent.Elected) {
            coordinator = true;
        } else if (event instanceof RendezvousEvent.RunEnded end) {
            trouble("verdict " + end.verdict().reason());
        } else if (event instanceof RendezvousEvent.Fenced) {
            trouble("fenced");
        } else if (event instanceof RendezvousEvent.MembershipLost) {
            trouble("membership lost");
        } else if (event instanceof RendezvousEvent.Refused refused) {
            trouble("refused: " + refused.reason());
        } else if (event instanceof RendezvousEvent.StoreUntrusted untrusted) {
            trouble("refused: " + untrusted.reason());
        } else if (event instanceof RendezvousEvent.StoreLost lost) {
            trouble("store lost: " + lost.reason());
        }
    }

    private void onRound(Round round) {
        Round before = newest;
        newest = round;
        Optional<Participant> place =
                round.participant(nodeId).filter(participant -> participant.createRevision() == life);
        if (over || round.suspended() || place.isEmpty()) {
            return;
        }
        boolean missed = before != null && round.number() > before.number() + 1;
        if (round.master().port() == masterPort || missed) {
            masterPort++;
        }
        phase = NodePhase.ACTIVE;
        acknowledged = round.number();
        rendezvous.update(record());
        onSealed.accept(this, round);
    }

    private void trouble(String what) {
        if (!over) {
            onTrouble.accept(what);
        }
    }
}
