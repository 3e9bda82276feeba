/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.agent.liveness.DialAnswer;
import dev.elasticrun.agent.liveness.HoldCalls;
import dev.elasticrun.agent.liveness.Links;
import dev.elasticrun.agent.liveness.Neighbour;
import dev.elasticrun.agent.liveness.NodeLife;
import dev.elasticrun.agent.liveness.RunKeyProof;
import dev.elasticrun.proto.ChallengeReply;
import dev.elasticrun.proto.ChallengeRequest;
import dev.elasticrun.proto.HoldFrame;
import dev.elasticrun.rendezvous.RunDescription;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.RunIdentity;
import dev.elasticrun.rendezvous.sim.SimulatedLoop;
import dev.elasticrun.rendezvous.sim.SimulatedTime;
import dev.elasticrun.rendezvous.store.embedded.ConnectionGate;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The connections between simulated agents: the real links and services; what gRPC and TCP do is simulated. */
public final class SimulatedLinks {
    private static final Duration NO_ANSWER = Duration.ofMillis(500);
    private static final Duration CHALLENGE_DEADLINE = Duration.ofSeconds(5);

    private final SimulatedTime time;
    private final Wires wires;
    private final Map<String, End> ends = new TreeMap<>();
    private final List<SimulatedHold> holds = new ArrayList<>();

    /** What the network does. */
    public interface Wires {
        boolean linked(String oneNode, String otherNode);

        /** Of a frame, or of the end of a connection. */
        Duration delay();

        /** How much later an agent's word is taken in; empty = never. */
        Optional<Duration> wordDelay();
    }

    public SimulatedLinks(SimulatedTime time, Wires wires) {
        this.time = time;
        this.wires = wires;
    }

    /** An agent's control plane. */
    public End open(String nodeId, String address, SimulatedLoop loop, ControlPeer peer) {
        End end = new End(nodeId, address, loop, peer);
        ends.put(nodeId, end);
        return end;
    }

    boolean linked(End one, End other) {
        return wires.linked(one.nodeId, other.nodeId);
    }

    Duration delay() {
        return wires.delay();
    }

    SimulatedTime time() {
        return time;
    }

    /** A process ended on a host that lives: its connections end, and its address refuses others. */
    public void died(String nodeId) {
        end(nodeId).listens = false;
        holdsOf(nodeId).forEach(hold -> hold.endFor(hold.otherThan(nodeId)));
    }

    /** A host is gone without a word. */
    public void vanished(String nodeId) {
        end(nodeId).reachable = false;
        holdsOf(nodeId).forEach(SimulatedHold::silence);
    }

    /** The connections of a node that lives are reset. */
    public void reset(String nodeId) {
        holdsOf(nodeId).forEach(SimulatedHold::reset);
    }

    private End end(String nodeId) {
        End found = ends.get(nodeId);
        if (found == null) {
            throw new IllegalArgumentException(nodeId);
        }
        return found;
    }

    private List<SimulatedHold> holdsOf(String nodeId) {
        List<SimulatedHold> found =
                holds.stream().filter(hold -> hold.isOf(nodeId)).toList();
        holds.removeAll(found);
        return found;
    }

    /** One agent's end of all its connections. Methods belong to its loop. */
    public final class End {
        final String nodeId;
        final SimulatedLoop loop;
        final ControlService service;
        private final String address;
        private final RunKeyProof proofs;
        private final Links links;
        private boolean listens = true;
        private boolean reachable = true;

        private End(String nodeId, String address, SimulatedLoop loop, ControlPeer peer) {
            this.nodeId = nodeId;
            this.address = address;
            this.loop = loop;
            this.proofs = new RunKeyProof(time::nowNanos);
            this.links = new Links(
                    nodeId,
                    loop,
                    proofs,
                    this::dial,
                    neighbour -> new Calls(this, end(neighbour.nodeId())),
                    peer::proveDead);
            this.service = new ControlService(
                    nodeId,
                    loop,
                    new RunKeyGate(nodeId, proofs, new ConnectionGate(), new Refusals(time::nowNanos, refusal -> {})),
                    new LatePeer(peer, loop),
                    links.incoming(),
                    () -> CompletableFuture.failedFuture(new UnsupportedOperationException()));
        }

        public void joined(RunIdentity identity, NodeLife life) {
            proofs.key(identity.runKey());
            service.joined(identity.incarnation());
            links.joined(identity.incarnation(), life);
        }

        public void coordinator(@Nullable Neighbour newest) {
            links.coordinator(newest);
        }

        public void ring(List<Participant> participants) {
            links.ring(participants);
        }

        public void sendToCoordinator(byte[] record) {
            links.sendToCoordinator(record);
        }

        public void sendGoodbye() {
            links.sendGoodbye("leaves");
        }

        private CompletableFuture<DialAnswer> dial(String host, int port) {
            CompletableFuture<DialAnswer> answer = new CompletableFuture<>();
            End other = ends.values().stream()
                    .filter(end -> end.address.equals(host))
                    .findFirst()
                    .orElseThrow();
            if (!other.reachable || !linked(this, other)) {
                loop.outside(NO_ANSWER, () -> answer.complete(new DialAnswer(DialAnswer.Kind.SILENT, host)));
            } else {
                DialAnswer.Kind kind = other.listens ? DialAnswer.Kind.ANSWERED : DialAnswer.Kind.REFUSED;
                loop.outside(delay(), () -> answer.complete(new DialAnswer(kind, host)));
            }
            return answer;
        }
    }

    /** A channel to a neighbour. */
    private final class Calls implements HoldCalls {
        private final End caller;
        private final End callee;
        private @Nullable SimulatedHold hold;

        private Calls(End caller, End callee) {
            this.caller = caller;
            this.callee = callee;
        }

        @Override
        public void challenge(ChallengeRequest request, StreamObserver<ChallengeReply> replies) {
            boolean[] done = new boolean[1];
            Status unavailable = Status.UNAVAILABLE;
            boolean silent = !callee.reachable || !linked(caller, callee);
            Duration patience = silent || callee.listens ? CHALLENGE_DEADLINE : delay();
            caller.loop.outside(patience, () -> {
                if (!done[0]) {
                    done[0] = true;
                    replies.onError(unavailable.asRuntimeException());
                }
            });
            if (!silent && callee.listens) {
                callee.loop.outside(
                        delay(), () -> callee.service.challenge(request, new Reply(caller.loop, replies, done)));
            }
        }

        @Override
        public StreamObserver<HoldFrame> hold(StreamObserver<HoldFrame> replies) {
            SimulatedHold opened = new SimulatedHold(SimulatedLinks.this, caller, callee, replies);
            hold = opened;
            if (callee.reachable && callee.listens) {
                holds.add(opened);
                return opened.open();
            }
            opened.endFor(caller.nodeId);
            return opened.requests();
        }

        @Override
        public void close() {
            // What was sent gets through.
        }

        @Override
        public void abort() {
            SimulatedHold open = hold;
            if (open != null && holds.remove(open)) {
                open.endFor(callee.nodeId);
            }
        }
    }

    /** Brings the answer to a challenge home, unless it is too late. */
    private final class Reply implements StreamObserver<ChallengeReply> {
        private final SimulatedLoop loop;
        private final StreamObserver<ChallengeReply> replies;
        private final boolean[] done;

        private Reply(SimulatedLoop loop, StreamObserver<ChallengeReply> replies, boolean[] done) {
            this.loop = loop;
            this.replies = replies;
            this.done = done;
        }

        @Override
        public void onNext(ChallengeReply reply) {
            loop.outside(delay(), () -> {
                if (!done[0]) {
                    done[0] = true;
                    replies.onNext(reply);
                }
            });
        }

        @Override
        public void onError(Throwable cause) {
            throw new AssertionError(cause);
        }

        @Override
        public void onCompleted() {
            // The reply was all.
        }
    }

    /** Word for the coordinator: mostly at once, sometimes late and overtaken, sometimes never. */
    private final class LatePeer implements ControlPeer {
        private final ControlPeer peer;
        private final SimulatedLoop loop;

        private LatePeer(ControlPeer peer, SimulatedLoop loop) {
            this.peer = peer;
            this.loop = loop;
        }

        @Override
        public CompletableFuture<RunDescription> describe() {
            return peer.describe();
        }

        @Override
        public void receive(String speaker, byte[] record) {
            wires.wordDelay().ifPresent(late -> loop.schedule(late, () -> peer.receive(speaker, record)));
        }

        @Override
        public void proveDead(NodeLife dead, String evidence) {
            peer.proveDead(dead, evidence);
        }
    }
}
