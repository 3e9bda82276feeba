/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.agent.liveness.Neighbour;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.proto.DumpReply;
import dev.elasticrun.proto.DumpRequest;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Asks the agent that has a worker what its threads do. */
public final class ForwardedDump {
    // More than the time limit for a JVM that does not answer.
    private static final Duration DEADLINE = Duration.ofSeconds(6);

    private ForwardedDump() {}

    /** Does not block. Completes on any thread; exceptionally with a {@link CommandDesk.DumpException}. */
    public static CompletableFuture<CommandDesk.WorkerDump> ask(
            Neighbour owner, byte[] runKey, Optional<RunTls> tls, int rank) {
        ControlClient client =
                new ControlClient(owner.address() + ":" + owner.controlPort(), owner.nodeId(), runKey, tls);
        CompletableFuture<CommandDesk.WorkerDump> dump = new CompletableFuture<>();
        client.async()
                .withDeadlineAfter(DEADLINE.toMillis(), TimeUnit.MILLISECONDS)
                .dump(
                        DumpRequest.newBuilder()
                                .setRank(rank)
                                .setForwarded(true)
                                .build(),
                        new Answer(owner.nodeId(), dump));
        dump.whenComplete((ok, error) -> client.close());
        return dump;
    }

    private record Answer(String nodeId, CompletableFuture<CommandDesk.WorkerDump> dump)
            implements StreamObserver<DumpReply> {
        @Override
        public void onNext(DumpReply reply) {
            dump.complete(new CommandDesk.WorkerDump(
                    reply.getNodeId(),
                    reply.getSlot(),
                    reply.getAttempt(),
                    reply.getPid(),
                    reply.getRound(),
                    reply.getText()));
        }

        @Override
        public void onError(Throwable cause) {
            Status status = Status.fromThrowable(cause);
            String why = status.getCode() == Status.Code.FAILED_PRECONDITION && status.getDescription() != null
                    ? status.getDescription()
                    : "node " + nodeId + " did not answer: " + status;
            dump.completeExceptionally(new CommandDesk.DumpException(why));
        }

        @Override
        public void onCompleted() {
            // The reply was all.
        }
    }
}
