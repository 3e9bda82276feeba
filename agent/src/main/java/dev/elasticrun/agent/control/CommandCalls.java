/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.proto.CommandReply;
import dev.elasticrun.proto.CommandRequest;
import dev.elasticrun.proto.CommandStage;
import dev.elasticrun.proto.DumpReply;
import dev.elasticrun.proto.DumpRequest;
import dev.elasticrun.proto.ProfileReply;
import dev.elasticrun.proto.ProfileRequest;
import dev.elasticrun.rendezvous.record.Command;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Between the wire and the {@link CommandDesk}. Methods run on gRPC's threads. */
final class CommandCalls {
    private final CommandDesk desk;

    CommandCalls(CommandDesk desk) {
        this.desk = desk;
    }

    void command(CommandRequest request, String from, ServerCallStreamObserver<CommandReply> replies) {
        Command command;
        try {
            command = command(request);
        } catch (IllegalArgumentException e) {
            replies.onError(
                    Status.INVALID_ARGUMENT.withDescription(e.getMessage()).asRuntimeException());
            return;
        }
        CommandDesk.Asking asking = new CommandDesk.Asking(
                from, request.getIncarnation(), !request.getNoWait(), progress -> send(replies, progress));
        CompletableFuture<CommandDesk.Outcome> outcome = desk.ask(command, asking);
        replies.setOnCancelHandler(() -> outcome.cancel(false));
        outcome.thenAccept(last -> {
            send(replies, last);
            replies.onCompleted();
        });
    }

    private static void send(ServerCallStreamObserver<CommandReply> replies, CommandDesk.Outcome outcome) {
        if (!replies.isCancelled()) {
            replies.onNext(CommandReply.newBuilder()
                    .setStage(stage(outcome.stage()))
                    .setText(outcome.text())
                    .setNumber(outcome.number())
                    .setRound(outcome.round())
                    .setWorldSize(outcome.worldSize())
                    .setStallMicros(TimeUnit.NANOSECONDS.toMicros(outcome.stallNanos()))
                    .build());
        }
    }

    private static CommandStage stage(CommandDesk.Outcome.Stage stage) {
        return switch (stage) {
            case WAITING -> CommandStage.COMMAND_STAGE_WAITING;
            case DONE -> CommandStage.COMMAND_STAGE_DONE;
            case REFUSED -> CommandStage.COMMAND_STAGE_REFUSED;
            case GOING_ON -> CommandStage.COMMAND_STAGE_GOING_ON;
        };
    }

    /** @throws IllegalArgumentException when that is no command */
    static Command command(CommandRequest request) {
        String id = request.getRequestId();
        String by = request.getAskedBy();
        return switch (request.getCommandCase()) {
            case DRAIN -> Command.drain(id, request.getDrain().getNode(), request.getForce(), by);
            case SCALE ->
                Command.scale(
                        id, request.getScale().getMinNodes(), request.getScale().getMaxNodes(), request.getForce(), by);
            case STOP -> Command.stop(id, by);
            case RESTART -> Command.restart(id, by);
            case COMMAND_NOT_SET ->
                throw new IllegalArgumentException("command: none (expected: drain, scale, stop or restart)");
        };
    }

    void dump(DumpRequest request, StreamObserver<DumpReply> replies) {
        desk.dump(request.getRank(), request.getForwarded()).whenComplete((dump, error) -> {
            if (dump == null || error != null) {
                replies.onError(unanswered(error));
                return;
            }
            replies.onNext(DumpReply.newBuilder()
                    .setNodeId(dump.nodeId())
                    .setSlot(dump.slot())
                    .setAttempt(dump.attempt())
                    .setPid(dump.pid())
                    .setRound(dump.round())
                    .setText(dump.text())
                    .build());
            replies.onCompleted();
        });
    }

    void profile(ProfileRequest request, StreamObserver<ProfileReply> replies) {
        int seconds = request.getSeconds();
        if (seconds < 1 || seconds > CommandDesk.MOST_SECONDS) {
            replies.onError(Status.INVALID_ARGUMENT
                    .withDescription("seconds: " + seconds + " (expected: 1 to " + CommandDesk.MOST_SECONDS + ")")
                    .asRuntimeException());
            return;
        }
        desk.profile(request.getRank(), seconds, request.getForwarded()).whenComplete((profile, error) -> {
            if (profile == null || error != null) {
                replies.onError(unanswered(error));
                return;
            }
            replies.onNext(ProfileReply.newBuilder()
                    .setNodeId(profile.nodeId())
                    .setSlot(profile.slot())
                    .setAttempt(profile.attempt())
                    .setPid(profile.pid())
                    .setRound(profile.round())
                    .setFolded(profile.folded())
                    .setSamples(profile.samples())
                    .setFile(profile.file())
                    .build());
            replies.onCompleted();
        });
    }

    private static StatusRuntimeException unanswered(@Nullable Throwable error) {
        return Status.FAILED_PRECONDITION
                .withDescription(String.valueOf(error == null ? "no answer" : message(error)))
                .asRuntimeException();
    }

    private static String message(Throwable error) {
        Throwable cause = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        return cause instanceof CommandDesk.UnansweredException ? String.valueOf(cause.getMessage()) : cause.toString();
    }
}
