/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.agent.liveness.IncomingLinks;
import dev.elasticrun.agent.liveness.NodeLife;
import dev.elasticrun.proto.ChallengeReply;
import dev.elasticrun.proto.ChallengeRequest;
import dev.elasticrun.proto.CheckpointsReply;
import dev.elasticrun.proto.CheckpointsRequest;
import dev.elasticrun.proto.CommandReply;
import dev.elasticrun.proto.CommandRequest;
import dev.elasticrun.proto.ControlGrpc;
import dev.elasticrun.proto.CurvesRequest;
import dev.elasticrun.proto.DumpReply;
import dev.elasticrun.proto.DumpRequest;
import dev.elasticrun.proto.EventsReply;
import dev.elasticrun.proto.EventsRequest;
import dev.elasticrun.proto.HoldFrame;
import dev.elasticrun.proto.HoldHello;
import dev.elasticrun.proto.LogsReply;
import dev.elasticrun.proto.LogsRequest;
import dev.elasticrun.proto.NodeCurves;
import dev.elasticrun.proto.NodeReply;
import dev.elasticrun.proto.NodeRequest;
import dev.elasticrun.proto.ProfileReply;
import dev.elasticrun.proto.ProfileRequest;
import dev.elasticrun.proto.StatusReply;
import dev.elasticrun.proto.StatusRequest;
import dev.elasticrun.rendezvous.loop.EventLoop;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.net.SocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The gRPC adapter: calls in, work for the loop out. Its methods run on gRPC's threads and do not block. Behind a {@link
 * RunKeyGate}.
 */
final class ControlService extends ControlGrpc.ControlImplBase {
    private final String nodeId;
    private final EventLoop loop;
    private final RunKeyGate keyGate;
    private final ControlPeer peer;
    private final IncomingLinks links;
    private final Supplier<CompletableFuture<RunStatus>> survey;
    private final LogStreams logStreams = new LogStreams();
    private final EventStreams eventStreams = new EventStreams();
    private final CheckpointStreams checkpointStreams = new CheckpointStreams();
    private volatile String incarnation = "";

    ControlService(
            String nodeId,
            EventLoop loop,
            RunKeyGate keyGate,
            ControlPeer peer,
            IncomingLinks links,
            Supplier<CompletableFuture<RunStatus>> survey) {
        this.nodeId = nodeId;
        this.loop = loop;
        this.keyGate = keyGate;
        this.peer = peer;
        this.links = links;
        this.survey = survey;
    }

    void joined(String newIncarnation) {
        incarnation = newIncarnation;
    }

    @Override
    public void challenge(ChallengeRequest request, StreamObserver<ChallengeReply> responses) {
        responses.onNext(keyGate.greet(request.getNonce()));
        responses.onCompleted();
    }

    @Override
    public void status(StatusRequest request, StreamObserver<StatusReply> responses) {
        survey.get()
                .thenApply(RunStatus::status)
                .whenComplete((reply, error) -> answer(responses, "the store did not answer", reply, error));
    }

    @Override
    public void node(NodeRequest request, StreamObserver<NodeReply> responses) {
        peer.nodeStatus()
                .whenComplete((reply, error) ->
                        answer(responses, "this agent did not report what its workers do", reply, error));
    }

    @Override
    public void curves(CurvesRequest request, StreamObserver<NodeCurves> responses) {
        responses.onNext(peer.curves());
        responses.onCompleted();
    }

    /** What went wrong, without the names of classes that it went through. */
    static String words(@Nullable Throwable error) {
        Throwable cause = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        return cause == null || cause.getMessage() == null ? String.valueOf(cause) : cause.getMessage();
    }

    private static <T> void answer(
            StreamObserver<T> responses, String problem, @Nullable T reply, @Nullable Throwable error) {
        if (reply == null) {
            responses.onError(Status.UNAVAILABLE
                    .withDescription(problem + ": " + words(error))
                    .asRuntimeException());
        } else {
            responses.onNext(reply);
            responses.onCompleted();
        }
    }

    @Override
    public void logs(LogsRequest request, StreamObserver<LogsReply> responses) {
        peer.logs()
                .ifPresentOrElse(
                        directory ->
                                logStreams.start(directory, request, (ServerCallStreamObserver<LogsReply>) responses),
                        responses::onCompleted);
    }

    @Override
    public void events(EventsRequest request, StreamObserver<EventsReply> responses) {
        peer.logs()
                .ifPresentOrElse(
                        directory -> eventStreams.start(
                                directory, request, (ServerCallStreamObserver<EventsReply>) responses),
                        responses::onCompleted);
    }

    @Override
    public void checkpoints(CheckpointsRequest request, StreamObserver<CheckpointsReply> responses) {
        peer.checkpoints()
                .ifPresentOrElse(
                        files -> checkpointStreams.start(
                                files, request, peer.copyTerms(), (ServerCallStreamObserver<CheckpointsReply>)
                                        responses),
                        responses::onCompleted);
    }

    @Override
    public void command(CommandRequest request, StreamObserver<CommandReply> responses) {
        calls(responses)
                .ifPresent(calls -> calls.command(
                        request, CallerAddress.current(), (ServerCallStreamObserver<CommandReply>) responses));
    }

    @Override
    public void dump(DumpRequest request, StreamObserver<DumpReply> responses) {
        calls(responses).ifPresent(calls -> calls.dump(request, responses));
    }

    @Override
    public void profile(ProfileRequest request, StreamObserver<ProfileReply> responses) {
        calls(responses).ifPresent(calls -> calls.profile(request, responses));
    }

    private Optional<CommandCalls> calls(StreamObserver<?> responses) {
        Optional<CommandCalls> calls = peer.desk().map(CommandCalls::new);
        if (calls.isEmpty()) {
            responses.onError(Status.UNIMPLEMENTED
                    .withDescription("this agent takes no commands")
                    .asRuntimeException());
        }
        return calls;
    }

    @Override
    public StreamObserver<HoldFrame> hold(StreamObserver<HoldFrame> responses) {
        // Without a handler of its own an answer to a caller that went away would throw.
        ((ServerCallStreamObserver<HoldFrame>) responses).setOnCancelHandler(() -> {});
        return new Held(responses, CallerAddress.socket());
    }

    private final class Held implements StreamObserver<HoldFrame> {
        private final StreamObserver<HoldFrame> responses;
        private final @Nullable SocketAddress from;
        private @Nullable String holder;

        Held(StreamObserver<HoldFrame> responses, @Nullable SocketAddress from) {
            this.responses = responses;
            this.from = from;
        }

        @Override
        public void onNext(HoldFrame frame) {
            String known = holder;
            if (frame.hasHello() && known == null) {
                onHello(frame.getHello());
            } else if (frame.hasRecord() && known != null) {
                loop.execute(() -> peer.receive(known, frame.getRecord().toByteArray()));
            } else if (frame.hasGoodbye() && known != null) {
                loop.execute(() -> links.goodbye(known, responses));
            }
        }

        private void onHello(HoldHello hello) {
            boolean meant = hello.getIncarnation().equals(incarnation)
                    && hello.getExpectedNodeId().equals(nodeId);
            if (!keyGate.admits(hello, meant, from)) {
                responses.onError(Status.PERMISSION_DENIED
                        .withDescription("this is node " + nodeId + " of another run, or the key is another")
                        .asRuntimeException());
                return;
            }
            holder = hello.getNodeId();
            NodeLife life = new NodeLife(
                    hello.getNodeId(),
                    hello.getAddress(),
                    hello.getControlPort(),
                    hello.getLife().getCreateRevision(),
                    hello.getLife().getLeaseId(),
                    hello.getLife().getLeaseOnly());
            loop.execute(() -> links.opened(responses, life));
        }

        @Override
        public void onError(Throwable cause) {
            ended(false);
        }

        @Override
        public void onCompleted() {
            ended(true);
        }

        private void ended(boolean complete) {
            String known = holder;
            if (known != null) {
                loop.execute(() -> links.ended(known, responses, complete));
            } else if (complete) {
                responses.onCompleted();
            }
        }
    }
}
