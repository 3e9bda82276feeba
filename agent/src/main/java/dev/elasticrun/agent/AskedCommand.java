/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.control.CommandDesk.Asking;
import dev.elasticrun.agent.control.CommandDesk.Outcome;
import dev.elasticrun.rendezvous.Command;
import dev.elasticrun.rendezvous.NodeRecord;
import dev.elasticrun.rendezvous.Rendezvous;
import dev.elasticrun.rendezvous.Round;
import dev.elasticrun.rendezvous.RunDescription;
import dev.elasticrun.rendezvous.Settled;
import dev.elasticrun.rendezvous.Verdict;
import dev.elasticrun.rendezvous.loop.EventLoop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One command from its caller's words to its end, as far as this agent sees it. Owned by the agent's loop. */
final class AskedCommand {
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final Duration TELL = Duration.ofSeconds(1);
    /** Workers that do not tell when they go on are not waited for. */
    private static final Duration STALL_WAIT = Duration.ofSeconds(3);

    private final EventLoop loop;
    private final Rendezvous rendezvous;
    private final Supplier<AgentState> state;
    private final StallClock stalls;
    private final Asking asking;
    private final CompletableFuture<Outcome> outcome;
    private final long beganNanos;
    private Command command;
    private long number;
    private @Nullable CommandGoal goal;
    private long toldNanos;
    private long reachedNanos;

    AskedCommand(
            EventLoop loop,
            Rendezvous rendezvous,
            Supplier<AgentState> state,
            StallClock stalls,
            Command command,
            Asking asking,
            CompletableFuture<Outcome> outcome) {
        this.loop = loop;
        this.rendezvous = rendezvous;
        this.state = state;
        this.stalls = stalls;
        this.command = command;
        this.asking = asking;
        this.outcome = outcome;
        this.beganNanos = loop.nowNanos();
        this.toldNanos = beganNanos;
    }

    Command command() {
        return command;
    }

    CompletableFuture<Outcome> outcome() {
        return outcome;
    }

    void begin() {
        if (command.kind() != Command.Kind.DRAIN) {
            write();
            return;
        }
        rendezvous
                .describe()
                .whenComplete((run, error) -> loop.execute(() -> {
                    if (run == null || error != null) {
                        refuse("the store did not answer: " + error);
                        return;
                    }
                    try {
                        String nodeId = NodeNames.resolve(command.nodeId(), run.nodes());
                        command = Command.drain(command.requestId(), nodeId, command.force(), command.askedBy());
                        write();
                    } catch (IllegalArgumentException e) {
                        refuse(String.valueOf(e.getMessage()));
                    }
                }));
    }

    private void write() {
        rendezvous.ask(command).whenComplete((written, error) -> {
            if (written == null || error != null) {
                refuse(error == null ? "it was not written" : String.valueOf(error.getMessage()));
            } else {
                number = written;
                look();
            }
        });
    }

    /** Looks again and again: for a moment, and only while somebody waits. */
    private void look() {
        if (outcome.isDone()) {
            return;
        }
        CommandGoal wanted = goal;
        if (wanted == null) {
            rendezvous.answer(number).whenComplete((answer, error) -> {
                Settled settled = error == null ? answer.orElse(null) : null;
                loop.execute(() -> onAnswer(settled));
            });
        } else if (reachedNanos != 0
                || command.kind() == Command.Kind.RESTART
                || !wanted.waitsFor(state.get().round(), List.of()).isEmpty()) {
            // What this agent knows is enough; the store and the processors have more to do just now.
            onNodes(List.of());
        } else {
            rendezvous.describe().whenComplete((run, error) -> loop.execute(() -> onRun(run)));
        }
    }

    /** @param settled null when it is not known yet */
    private void onAnswer(@Nullable Settled settled) {
        if (settled == null) {
            lookLater("the coordinator to take command " + number);
            return;
        }
        if (!settled.accepted()) {
            refuse(settled.answer());
            return;
        }
        goal = new CommandGoal(settled);
        if (asking.waits()) {
            look();
        } else {
            end(Outcome.Stage.GOING_ON, "accepted as command " + number + ": " + settled.answer());
        }
    }

    private void onRun(@Nullable RunDescription run) {
        if (run == null) {
            lookLater("the store");
        } else {
            onNodes(run.nodes());
        }
    }

    private void onNodes(List<NodeRecord> nodes) {
        CommandGoal wanted = goal;
        if (outcome.isDone() || wanted == null) {
            return;
        }
        Round round = state.get().round();
        String waitsFor = wanted.waitsFor(round, nodes);
        if (!waitsFor.isEmpty()) {
            lookLater(waitsFor);
            return;
        }
        long now = loop.nowNanos();
        reachedNanos = reachedNanos == 0 ? now : reachedNanos;
        long stall = stall(round, wanted);
        boolean resuming = round != null && stalls.stillFor(round.number());
        if (resuming && now - reachedNanos < STALL_WAIT.toNanos()) {
            lookLater("the workers to go on");
        } else {
            end(Outcome.Stage.DONE, wanted.done(round, stall));
        }
    }

    private long stall(@Nullable Round round, CommandGoal wanted) {
        return round == null || round.number() <= wanted.settled().round() ? 0 : stalls.nanos(round.number());
    }

    private void lookLater(String waitsFor) {
        long now = loop.nowNanos();
        if (!outcome.isDone() && now - toldNanos >= TELL.toNanos()) {
            toldNanos = now;
            long seconds = Duration.ofNanos(now - beganNanos).toSeconds();
            asking.progress()
                    .accept(told(Outcome.Stage.WAITING, "waiting for " + waitsFor + ", for " + seconds + " s"));
        }
        loop.schedule(LOOK, this::look);
    }

    /** The run has ended, by this command or otherwise. */
    void onVerdict(Verdict verdict) {
        boolean ours = command.kind() == Command.Kind.STOP && verdict.exitCode() == EndRules.DRAINED;
        if (ours) {
            end(Outcome.Stage.DONE, verdict.reason() + ": all agents end with exit code " + verdict.exitCode());
        } else {
            refuse("the run has ended: " + verdict.reason());
        }
    }

    /** This agent leaves the run. */
    void onLeaving(String nodeId) {
        CommandGoal wanted = goal;
        Round round = state.get().round();
        if (wanted != null
                && command.kind() == Command.Kind.DRAIN
                && command.nodeId().equals(nodeId)) {
            end(Outcome.Stage.DONE, wanted.done(round, 0));
        } else {
            String what = number == 0 ? "nothing was asked" : "command " + number + " is in the store";
            end(Outcome.Stage.GOING_ON, "this agent leaves the run; " + what);
        }
    }

    void refuse(String reason) {
        end(Outcome.Stage.REFUSED, reason);
    }

    private void end(Outcome.Stage stage, String text) {
        outcome.complete(told(stage, text));
    }

    private Outcome told(Outcome.Stage stage, String text) {
        Round round = state.get().round();
        CommandGoal wanted = goal;
        return new Outcome(
                stage,
                text,
                number,
                round == null ? 0 : round.number(),
                round == null ? 0 : round.worldSize(),
                wanted == null ? 0 : stall(round, wanted));
    }
}
