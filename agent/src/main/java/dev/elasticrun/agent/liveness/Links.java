/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.liveness;

import com.google.protobuf.ByteString;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.record.Participant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The connections that an agent shares with its neighbours', and what their ends prove. Owned by the loop. */
public final class Links {
    private static final int MAX_PROVED = 1024;

    private final String nodeId;
    private final EventLoop loop;
    private final RunKeyProof proofs;
    private final Dialer probe;
    private final Function<Neighbour, HoldCalls> callers;
    private final BiConsumer<NodeLife, String> onDead;
    private final IncomingLinks incoming;
    private final Map<Neighbour, OutgoingLink> outgoing = new LinkedHashMap<>();
    // Only the newest confirmed deaths: a node id is not used twice, and an old death is not observed again.
    private final Set<String> proved = new LinkedHashSet<>();

    private String incarnation = "";
    private @Nullable NodeLife self;
    private @Nullable Neighbour coordinator;
    private List<Participant> ring = List.of();

    /** @param onDead called in the loop, once for each node that is proved to be dead, with the evidence */
    public Links(
            String nodeId,
            EventLoop loop,
            RunKeyProof proofs,
            Dialer probe,
            Function<Neighbour, HoldCalls> callers,
            BiConsumer<NodeLife, String> onDead) {
        this.nodeId = nodeId;
        this.loop = loop;
        this.proofs = proofs;
        this.probe = probe;
        this.callers = callers;
        this.onDead = onDead;
        this.incoming = new IncomingLinks(loop, probe, this::onDead);
    }

    /** Those that other agents hold to this one. */
    public IncomingLinks incoming() {
        return incoming;
    }

    /** The node has a life, the first or another one. */
    public void joined(String newIncarnation, NodeLife life) {
        loop.assertInLoop();
        incarnation = newIncarnation;
        incoming.life(life);
        release("another life of the node");
        self = life;
        holdNeighbours();
    }

    public void coordinator(@Nullable Neighbour newest) {
        loop.assertInLoop();
        coordinator = newest;
        holdNeighbours();
    }

    public void ring(List<Participant> participants) {
        loop.assertInLoop();
        ring = participants;
        holdNeighbours();
    }

    public void sendToCoordinator(byte[] record) {
        loop.assertInLoop();
        Neighbour listener = coordinator;
        OutgoingLink link = listener == null ? null : outgoing.get(listener);
        if (link != null) {
            link.send(ByteString.copyFrom(record));
        }
    }

    public void sendGoodbye(String reason) {
        loop.assertInLoop();
        self = null;
        release(reason);
        incoming.sendGoodbye(reason);
    }

    /** The nodes at the other ends of established connections; a node may be at two of them. */
    public List<NodeLife> held() {
        loop.assertInLoop();
        return Stream.concat(incoming.watches(), outgoing.values().stream().map(OutgoingLink::watch))
                .flatMap(watch -> watch.held().stream())
                .toList();
    }

    private void holdNeighbours() {
        NodeLife life = self;
        if (life == null) {
            return;
        }
        List<Neighbour> wanted = Neighbours.of(nodeId, ring, coordinator);
        outgoing.entrySet().removeIf(held -> {
            boolean released = !wanted.contains(held.getKey());
            if (released) {
                held.getValue().close("no neighbour any more");
            }
            return released;
        });
        for (Neighbour neighbour : wanted) {
            outgoing.computeIfAbsent(neighbour, missing -> hold(missing, life));
        }
    }

    private OutgoingLink hold(Neighbour neighbour, NodeLife life) {
        OutgoingLink link = new OutgoingLink(
                neighbour,
                incarnation,
                life,
                loop,
                proofs,
                new LinkWatch("to " + neighbour.nodeId(), loop, probe, this::onDead),
                callers.apply(neighbour));
        link.open();
        return link;
    }

    // After this, only its lease decides about a node that comes back, whatever its connections do.
    private void onDead(NodeLife dead, String evidence) {
        if (self != null && proved.add(dead.nodeId())) {
            if (proved.size() > MAX_PROVED) {
                proved.remove(proved.iterator().next());
            }
            onDead.accept(dead, evidence);
        }
    }

    private void release(String reason) {
        outgoing.values().forEach(link -> link.close(reason));
        outgoing.clear();
    }

    /** Ends them as the end of the process would. Called outside the loop, which has ended. */
    public void abort() {
        outgoing.values().forEach(OutgoingLink::abort);
    }
}
