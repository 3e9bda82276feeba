/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.liveness;

import com.google.protobuf.ByteString;
import dev.elasticrun.proto.ChallengeReply;
import dev.elasticrun.proto.ChallengeRequest;
import dev.elasticrun.proto.ControlGrpc;
import dev.elasticrun.proto.HoldFrame;
import dev.elasticrun.proto.HoldGoodbye;
import dev.elasticrun.proto.HoldHello;
import dev.elasticrun.proto.Life;
import dev.elasticrun.proto.Proof;
import dev.elasticrun.rendezvous.loop.EventLoop;
import io.grpc.stub.StreamObserver;
import java.security.SecureRandom;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Owns a connection from this agent to the agent of a neighbour, for as long as that is its neighbour. An end without a
 * goodbye may confirm a failure; meanwhile the connection carries the node's records to the coordinator. It is reopened
 * when it ended and the neighbour is not confirmed dead. Owned by the loop.
 */
public final class OutgoingLink {
    private static final SecureRandom NONCES = new SecureRandom();
    private static final Duration RETRY = Duration.ofMillis(200);
    // Time to transmit the goodbye; a neighbour that is frozen would keep the channel open.
    private static final Duration LINGER = Duration.ofSeconds(5);

    private final Neighbour neighbour;
    private final String incarnation;
    private final NodeLife self;
    private final EventLoop loop;
    private final RunKeyProof proofs;
    private final LinkWatch watch;
    private final HoldCalls calls;
    private @Nullable StreamObserver<HoldFrame> out;
    private boolean closed;

    OutgoingLink(
            Neighbour neighbour,
            String incarnation,
            NodeLife self,
            EventLoop loop,
            RunKeyProof proofs,
            LinkWatch watch,
            HoldCalls calls) {
        this.neighbour = neighbour;
        this.incarnation = incarnation;
        this.self = self;
        this.loop = loop;
        this.proofs = proofs;
        this.watch = watch;
        this.calls = calls;
    }

    void open() {
        loop.assertInLoop();
        if (closed || watch.proved()) {
            return;
        }
        ByteString nonce = RunKeyProof.nonce(NONCES);
        ChallengeRequest request = ChallengeRequest.newBuilder().setNonce(nonce).build();
        calls.challenge(request, new StreamObserver<ChallengeReply>() {
            @Override
            public void onNext(ChallengeReply reply) {
                loop.execute(() -> greeted(nonce, reply));
            }

            @Override
            public void onError(Throwable cause) {
                loop.execute(OutgoingLink.this::ended);
            }

            @Override
            public void onCompleted() {
                // The reply was all.
            }
        });
    }

    LinkWatch watch() {
        return watch;
    }

    // A process that answers at the address of a dead agent receives no proof or record that a live agent would accept
    // from it.
    private void greeted(ByteString nonce, ChallengeReply reply) {
        if (proofs.isGreeting(nonce, reply, neighbour.nodeId())) {
            hold(reply);
        } else {
            ended();
        }
    }

    private void hold(ChallengeReply reply) {
        if (closed) {
            return;
        }
        StreamObserver<HoldFrame> stream = calls.hold(new StreamObserver<HoldFrame>() {
            @Override
            public void onNext(HoldFrame frame) {
                loop.execute(() -> received(frame));
            }

            @Override
            public void onError(Throwable cause) {
                loop.execute(OutgoingLink.this::ended);
            }

            @Override
            public void onCompleted() {
                loop.execute(OutgoingLink.this::ended);
            }
        });
        out = stream;
        HoldHello hello = HoldHello.newBuilder()
                .setIncarnation(incarnation)
                .setNodeId(self.nodeId())
                .setExpectedNodeId(neighbour.nodeId())
                .setAddress(self.address())
                .setControlPort(self.controlPort())
                .setLife(Life.newBuilder()
                        .setCreateRevision(self.createRevision())
                        .setLeaseId(self.leaseId())
                        .setLeaseOnly(self.leaseOnly()))
                .build();
        Proof proof = proofs.answer(
                reply.getChallenge(),
                ControlGrpc.getHoldMethod().getFullMethodName(),
                neighbour.nodeId(),
                unproved(hello));
        stream.onNext(HoldFrame.newBuilder()
                .setHello(hello.toBuilder().setProof(proof))
                .build());
    }

    /** What the proof of a HELLO is about. */
    public static ByteString unproved(HoldHello hello) {
        return hello.toBuilder().clearProof().build().toByteString();
    }

    private void received(HoldFrame frame) {
        if (closed) {
            return;
        }
        if (frame.hasAccepted()) {
            Life life = frame.getAccepted().getLife();
            NodeLife other = new NodeLife(
                    neighbour.nodeId(),
                    neighbour.address(),
                    neighbour.controlPort(),
                    life.getCreateRevision(),
                    life.getLeaseId(),
                    life.getLeaseOnly());
            watch.on(before -> before.reached(other));
        } else if (frame.hasGoodbye()) {
            watch.on(LinkState::goodbye);
        }
    }

    private void ended() {
        if (closed) {
            return;
        }
        out = null;
        watch.on(LinkState::ended);
        loop.schedule(RETRY, this::open);
    }

    /** Sends the node's current record, if there is a connection. */
    void send(ByteString record) {
        loop.assertInLoop();
        StreamObserver<HoldFrame> stream = out;
        if (!closed && stream != null) {
            stream.onNext(HoldFrame.newBuilder().setRecord(record).build());
        }
    }

    /** Ends the connection with a goodbye: this node lives, but no longer holds it. */
    void close(String reason) {
        loop.assertInLoop();
        if (closed) {
            return;
        }
        closed = true;
        watch.on(LinkState::goodbye);
        StreamObserver<HoldFrame> stream = out;
        if (stream != null) {
            stream.onNext(HoldFrame.newBuilder()
                    .setGoodbye(HoldGoodbye.newBuilder().setReason(reason))
                    .build());
            stream.onCompleted();
        }
        calls.close();
        loop.schedule(LINGER, calls::abort);
    }

    /** Ends the connection as the end of the process would. Called outside the loop, which has ended. */
    void abort() {
        calls.abort();
    }
}
