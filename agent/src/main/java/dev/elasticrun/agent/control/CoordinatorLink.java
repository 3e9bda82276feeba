/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.proto.ChallengeReply;
import dev.elasticrun.proto.ChallengeRequest;
import dev.elasticrun.proto.ControlGrpc;
import dev.elasticrun.proto.HoldFrame;
import dev.elasticrun.proto.HoldGoodbye;
import dev.elasticrun.proto.HoldHello;
import dev.elasticrun.rendezvous.NodeRecord;
import dev.elasticrun.rendezvous.loop.EventLoop;
import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The one connection that this agent holds to the coordinator's, for as long as that is the coordinator. It carries
 * nothing: its end is the message. Owned by the loop.
 */
final class CoordinatorLink {
    private static final Duration RETRY = Duration.ofMillis(200);

    private final NodeRecord coordinator;
    private final String incarnation;
    private final String nodeId;
    private final EventLoop loop;
    private final RunKeyProof proofs;
    private final ControlPeer peer;
    private final DeathProbe probe;
    private final ManagedChannel channel;
    private @Nullable StreamObserver<HoldFrame> out;
    private boolean accepted;
    private boolean closed;

    CoordinatorLink(
            NodeRecord coordinator,
            String incarnation,
            String nodeId,
            EventLoop loop,
            RunKeyProof proofs,
            ControlPeer peer,
            DeathProbe probe,
            ManagedChannel channel) {
        this.coordinator = coordinator;
        this.incarnation = incarnation;
        this.nodeId = nodeId;
        this.loop = loop;
        this.proofs = proofs;
        this.peer = peer;
        this.probe = probe;
        this.channel = channel;
    }

    void open() {
        loop.assertInLoop();
        if (closed) {
            return;
        }
        ControlGrpc.newStub(channel)
                .challenge(ChallengeRequest.getDefaultInstance(), new StreamObserver<ChallengeReply>() {
                    @Override
                    public void onNext(ChallengeReply reply) {
                        loop.execute(() -> hold(reply));
                    }

                    @Override
                    public void onError(Throwable cause) {
                        loop.execute(CoordinatorLink.this::ended);
                    }

                    @Override
                    public void onCompleted() {
                        // The reply was all.
                    }
                });
    }

    private void hold(ChallengeReply reply) {
        if (closed) {
            return;
        }
        StreamObserver<HoldFrame> stream = ControlGrpc.newStub(channel).hold(new StreamObserver<HoldFrame>() {
            @Override
            public void onNext(HoldFrame frame) {
                loop.execute(() -> accepted |= frame.hasAccepted());
            }

            @Override
            public void onError(Throwable cause) {
                loop.execute(CoordinatorLink.this::ended);
            }

            @Override
            public void onCompleted() {
                loop.execute(CoordinatorLink.this::ended);
            }
        });
        out = stream;
        stream.onNext(HoldFrame.newBuilder()
                .setHello(HoldHello.newBuilder()
                        .setIncarnation(incarnation)
                        .setNodeId(nodeId)
                        .setExpectedNodeId(coordinator.nodeId())
                        .setProof(proofs.answer(reply.getChallenge())))
                .build());
    }

    private void ended() {
        if (closed) {
            return;
        }
        out = null;
        if (accepted) {
            accepted = false;
            probe.look(
                    coordinator,
                    () -> false,
                    evidence -> loop.execute(() -> {
                        if (!closed) {
                            peer.proveDead(coordinator, evidence);
                        }
                    }));
        }
        loop.schedule(RETRY, this::open);
    }

    /** Ends the connection with a goodbye: we live, but hold it no longer. */
    void close(String reason) {
        loop.assertInLoop();
        if (closed) {
            return;
        }
        closed = true;
        StreamObserver<HoldFrame> stream = out;
        if (stream != null) {
            stream.onNext(HoldFrame.newBuilder()
                    .setGoodbye(HoldGoodbye.newBuilder().setReason(reason))
                    .build());
            stream.onCompleted();
        }
        channel.shutdown();
    }
}
