/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import static org.awaitility.Awaitility.await;

import dev.elasticrun.rendezvous.loop.ThreadEventLoop;
import dev.elasticrun.rendezvous.record.NodeFixture;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.RendezvousEvent;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.RestartPolicies;
import dev.elasticrun.rendezvous.store.etcd.EtcdStore;
import dev.elasticrun.rendezvous.store.etcd.EtcdStoreConfig;
import dev.elasticrun.rendezvous.terms.LeaseTimes;
import dev.elasticrun.rendezvous.terms.LocalProtection;
import dev.elasticrun.rendezvous.terms.NodeBounds;
import dev.elasticrun.rendezvous.terms.RendezvousConfig;
import dev.elasticrun.rendezvous.terms.RoundTimes;
import dev.elasticrun.rendezvous.terms.RunKeySource;
import dev.elasticrun.rendezvous.terms.RunTerms;
import dev.elasticrun.rendezvous.terms.StoreContact;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One node of a soft run on a real store: its workers are always ready, and do as rounds require. Keeps all that its
 * rendezvous reports, in short. State is owned by its loop; what is kept may be read by any thread.
 */
public final class RendezvousNode implements Consumer<RendezvousEvent>, AutoCloseable {
    static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final String nodeId;
    private final List<String> reported = new CopyOnWriteArrayList<>();
    private final AtomicReference<Round> round = new AtomicReference<>();
    private final ThreadEventLoop loop;
    private final EtcdStore store;
    private final Rendezvous rendezvous;
    private final NodeFixture node;
    private long life;
    private long version;

    RendezvousNode(
            String runId, String nodeId, int nodes, Duration lease, Duration storeTimeout, List<String> endpoints) {
        this.nodeId = nodeId;
        // The number only gives each node a port of its own.
        this.node = NodeFixture.of(nodeId, Math.floorMod(nodeId.hashCode(), 400));
        this.loop = new ThreadEventLoop("loop-" + nodeId, error -> reported.add("error: " + error));
        this.store = EtcdStore.connect(EtcdStoreConfig.of(endpoints).withLease(lease));
        RendezvousConfig config = config(runId, nodes, lease, storeTimeout);
        this.rendezvous = new Rendezvous(
                store,
                loop,
                config,
                RestartPolicies.byName("soft-no-replace"),
                node.record(),
                new RunFounder("i-" + nodeId, new SecureRandom()),
                this);
        loop.execute(rendezvous::start);
    }

    String nodeId() {
        return nodeId;
    }

    /** What was reported so far. */
    List<String> reported() {
        return List.copyOf(reported);
    }

    boolean wasReported(String start) {
        return reported.stream().anyMatch(line -> line.startsWith(start));
    }

    void awaitReported(String start) {
        await(nodeId + ": " + start)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(10))
                .failFast(() -> {
                    if (wasReported("error")) {
                        throw new AssertionError(reported().toString());
                    }
                })
                .until(() -> wasReported(start));
    }

    /** The newest round that this node received. */
    @Nullable
    Round round() {
        return round.get();
    }

    /** Publishes something new of itself, which needs a write. */
    void changeRecord() {
        loop.execute(() -> {
            rendezvous.update(node.checkpoint(++version).record());
        });
    }

    @Override
    public void close() {
        loop.close();
        store.close();
    }

    public static RendezvousConfig config(String runId, int maxNodes, Duration lease, Duration storeTimeout) {
        return new RendezvousConfig(
                runId,
                new RunTerms(
                        new NodeBounds(1, maxNodes), "soft-no-replace", "none", "off", LocalProtection.copies(2), 3),
                LeaseTimes.of(lease),
                new RoundTimes(
                        Duration.ofMinutes(1),
                        Duration.ofMinutes(1),
                        Duration.ofMillis(300),
                        Duration.ZERO,
                        Duration.ofMillis(500),
                        Duration.ofMinutes(1)),
                new StoreContact("the store", Duration.ofSeconds(10), storeTimeout),
                new RunKeySource(new byte[] {1}, false));
    }

    @Override
    public void accept(RendezvousEvent event) {
        if (event instanceof RendezvousEvent.Joined joined) {
            life = joined.createRevision();
            reported.add("joined");
        } else if (event instanceof RendezvousEvent.RoundChanged changed) {
            onRound(changed.round());
        } else if (event instanceof RendezvousEvent.RunEnded end) {
            reported.add(
                    "verdict " + end.verdict().exitCode() + ": " + end.verdict().reason());
        } else if (event instanceof RendezvousEvent.Fenced) {
            reported.add("fenced");
        } else if (event instanceof RendezvousEvent.Restored) {
            reported.add("restored");
        } else if (event instanceof RendezvousEvent.MembershipLost) {
            rendezvous.update(node.phase(NodePhase.READY).reserved().record());
            reported.add("lost");
        } else if (event instanceof RendezvousEvent.Refused refused) {
            reported.add("refused: " + refused.reason());
        } else if (event instanceof RendezvousEvent.StoreUntrusted untrusted) {
            reported.add("refused: " + untrusted.reason());
        } else if (event instanceof RendezvousEvent.StoreLost lost) {
            reported.add("store lost: " + lost.reason());
        } else if (event instanceof RendezvousEvent.StoreTrouble trouble) {
            reported.add("trouble: " + trouble.trouble());
        } else if (event instanceof RendezvousEvent.StoreWell well) {
            reported.add("well: " + well.trouble());
        }
    }

    private void onRound(Round newest) {
        reported.add("round " + newest.number() + " of "
                + newest.participants().stream().map(Participant::nodeId).toList());
        // Tests wait for it, and look at the rest then.
        round.set(newest);
        boolean ours = newest.participant(nodeId)
                .filter(place -> place.createRevision() == life)
                .isPresent();
        if (ours && !newest.suspended()) {
            rendezvous.update(node.works(newest).record());
        }
    }
}
