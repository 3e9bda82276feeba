/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.agent.liveness.Neighbour;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.proto.ControlGrpc;
import dev.elasticrun.proto.DumpReply;
import dev.elasticrun.proto.DumpRequest;
import dev.elasticrun.proto.ProfileReply;
import dev.elasticrun.proto.ProfileRequest;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Asks the agent that has a worker what that does. Methods do not block; their futures complete on any thread, exceptionally
 * with a {@link CommandDesk.UnansweredException}.
 *
 * @param tls by what other agents are called; empty = in plain text
 */
public record ForwardedCall(Neighbour owner, byte[] runKey, Optional<RunTls> tls) {
    // More than the time limit for a JVM that does not answer.
    private static final Duration DUMP_DEADLINE = Duration.ofSeconds(6);
    // Beyond the recording: it is started, stopped and read.
    private static final Duration PROFILE_DEADLINE = Duration.ofSeconds(25);

    public CompletableFuture<CommandDesk.WorkerDump> dump(int rank) {
        DumpRequest request =
                DumpRequest.newBuilder().setRank(rank).setForwarded(true).build();
        return ask(
                DUMP_DEADLINE,
                (agent, answer) -> agent.dump(request, answer),
                (DumpReply reply) -> new CommandDesk.WorkerDump(
                        reply.getNodeId(),
                        reply.getSlot(),
                        reply.getAttempt(),
                        reply.getPid(),
                        reply.getRound(),
                        reply.getText()));
    }

    public CompletableFuture<CommandDesk.WorkerProfile> profile(int rank, int seconds) {
        ProfileRequest request = ProfileRequest.newBuilder()
                .setRank(rank)
                .setSeconds(seconds)
                .setForwarded(true)
                .build();
        return ask(
                PROFILE_DEADLINE.plusSeconds(seconds),
                (agent, answer) -> agent.profile(request, answer),
                (ProfileReply reply) -> new CommandDesk.WorkerProfile(
                        reply.getNodeId(),
                        reply.getSlot(),
                        reply.getAttempt(),
                        reply.getPid(),
                        reply.getRound(),
                        reply.getFolded(),
                        reply.getSamples(),
                        reply.getFile()));
    }

    private <R, T> CompletableFuture<T> ask(
            Duration deadline, BiConsumer<ControlGrpc.ControlStub, StreamObserver<R>> call, Function<R, T> read) {
        ControlClient client =
                new ControlClient(owner.address() + ":" + owner.controlPort(), owner.nodeId(), runKey, tls);
        CompletableFuture<T> answer = new CompletableFuture<>();
        call.accept(
                client.async().withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS),
                new Answer<>(owner.nodeId(), answer, read));
        answer.whenComplete((ok, error) -> client.close());
        return answer;
    }

    private record Answer<R, T>(String nodeId, CompletableFuture<T> known, Function<R, T> read)
            implements StreamObserver<R> {
        @Override
        public void onNext(R reply) {
            known.complete(read.apply(reply));
        }

        @Override
        public void onError(Throwable cause) {
            Status status = Status.fromThrowable(cause);
            String why = status.getCode() == Status.Code.FAILED_PRECONDITION && status.getDescription() != null
                    ? status.getDescription()
                    : "node " + nodeId + " did not answer: " + status;
            known.completeExceptionally(new CommandDesk.UnansweredException(why));
        }

        @Override
        public void onCompleted() {
            // The reply was all.
        }
    }
}
