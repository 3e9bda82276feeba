/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.command;

import dev.elasticrun.agent.control.CommandDesk.Asking;
import dev.elasticrun.agent.control.CommandDesk.Outcome;
import dev.elasticrun.agent.launch.NodeNames;
import dev.elasticrun.agent.observe.RunObserver;
import dev.elasticrun.agent.rules.AgentState;
import dev.elasticrun.agent.rules.EndRules;
import dev.elasticrun.rendezvous.Rendezvous;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.membership.CommandView;
import dev.elasticrun.rendezvous.record.Command;
import dev.elasticrun.rendezvous.record.CommandResult;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One command from its request to its end, as far as this agent sees it. Owned by the agent's loop. */
final class CommandTracker {
    private static final Duration REPORT_EVERY = Duration.ofSeconds(1);
    /** The tracker does not wait longer for workers that do not report that they resume. */
    private static final Duration STALL_WAIT = Duration.ofSeconds(3);

    private final EventLoop loop;
    private final Rendezvous rendezvous;
    private final Supplier<AgentState> state;
    private final RunObserver observer;
    private final Asking asking;
    private final CompletableFuture<Outcome> outcome;
    private final long beganNanos;
    private Command command;
    private @Nullable CommandView view;
    private @Nullable CommandGoal goal;
    private String waitsFor = "";
    private long reachedNanos;

    CommandTracker(
            EventLoop loop,
            Rendezvous rendezvous,
            Supplier<AgentState> state,
            RunObserver observer,
            Command command,
            Asking asking,
            CompletableFuture<Outcome> outcome) {
        this.loop = loop;
        this.rendezvous = rendezvous;
        this.state = state;
        this.observer = observer;
        this.command = command;
        this.asking = asking;
        this.outcome = outcome;
        this.beganNanos = loop.nowNanos();
    }

    Command command() {
        return command;
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
                        followEarlier(String.valueOf(e.getMessage()));
                    }
                }));
    }

    /** A node that is gone may have been drained by this very request, for which another agent was asked before. */
    private void followEarlier(String refusal) {
        rendezvous.asked(command.requestId()).whenComplete((earlier, error) -> {
            if (earlier != null && earlier.isPresent()) {
                follow(earlier.get());
            } else {
                refuse(error == null ? refusal : "the store did not answer: " + error);
            }
        });
    }

    private void write() {
        rendezvous.ask(command).whenComplete((written, error) -> {
            if (written == null || error != null) {
                refuse(error == null ? "it was not written" : String.valueOf(error.getMessage()));
            } else {
                follow(command.numbered(written));
            }
        });
    }

    private void follow(Command written) {
        command = written;
        CommandView followed = rendezvous.follow(written, this::look);
        view = followed;
        outcome.whenComplete((last, cancelled) -> loop.execute(followed::close));
        look();
        loop.schedule(REPORT_EVERY, this::reportWait);
    }

    /** Looks at what is known; called whenever the store, or this agent, has something new. */
    void look() {
        CommandView followed = view;
        if (outcome.isDone() || followed == null) {
            return;
        }
        CommandGoal wanted = goal;
        if (wanted == null) {
            waitsFor = "the coordinator to take command " + command.number();
            followed.settled().ifPresent(this::onSettled);
        } else {
            waitsFor = wanted.waitsFor(state.get().round(), List.of());
            if (waitsFor.isEmpty() && reachedNanos == 0 && command.kind() != Command.Kind.RESTART) {
                // Not before: the store and the processors have more to do while a round is formed.
                waitsFor = followed.nodes()
                        .map(nodes -> wanted.waitsFor(state.get().round(), nodes))
                        .orElse("the store");
            }
            if (waitsFor.isEmpty()) {
                onReached(wanted);
            }
        }
    }

    private void onSettled(CommandResult settled) {
        if (!settled.accepted()) {
            refuse(settled.answer());
            return;
        }
        goal = new CommandGoal(settled);
        if (asking.waits()) {
            look();
        } else {
            end(Outcome.Stage.GOING_ON, "accepted as command " + command.number() + ": " + settled.answer());
        }
    }

    private void onReached(CommandGoal wanted) {
        Round round = state.get().round();
        long now = loop.nowNanos();
        if (reachedNanos == 0) {
            reachedNanos = now;
            loop.schedule(STALL_WAIT, this::look);
        }
        if (round != null && observer.isStalledFor(round.number()) && now - reachedNanos < STALL_WAIT.toNanos()) {
            waitsFor = "the workers to go on";
        } else {
            end(Outcome.Stage.DONE, wanted.done(round, stall(round, wanted)));
        }
    }

    // Repeats as long as the caller waits.
    private void reportWait() {
        if (!outcome.isDone()) {
            long seconds = Duration.ofNanos(loop.nowNanos() - beganNanos).toSeconds();
            asking.progress()
                    .accept(outcome(Outcome.Stage.WAITING, "waiting for " + waitsFor + ", for " + seconds + " s"));
            loop.schedule(REPORT_EVERY, this::reportWait);
        }
    }

    private long stall(@Nullable Round round, CommandGoal wanted) {
        return round == null || round.number() <= wanted.settled().round() ? 0 : observer.stallNanos(round.number());
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
            String what =
                    command.number() == 0 ? "nothing was asked" : "command " + command.number() + " is in the store";
            end(Outcome.Stage.GOING_ON, "this agent leaves the run; " + what);
        }
    }

    void refuse(String reason) {
        end(Outcome.Stage.REFUSED, reason);
    }

    private void end(Outcome.Stage stage, String text) {
        outcome.complete(outcome(stage, text));
    }

    private Outcome outcome(Outcome.Stage stage, String text) {
        Round round = state.get().round();
        CommandGoal wanted = goal;
        return new Outcome(
                stage,
                text,
                command.number(),
                round == null ? 0 : round.number(),
                round == null ? 0 : round.worldSize(),
                wanted == null ? 0 : stall(round, wanted));
    }
}
