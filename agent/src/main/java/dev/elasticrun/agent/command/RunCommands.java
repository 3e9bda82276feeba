/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.command;

import dev.elasticrun.agent.control.CommandDesk;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.observe.RunObserver;
import dev.elasticrun.agent.rules.AgentState;
import dev.elasticrun.agent.worker.WorkerInspector;
import dev.elasticrun.rendezvous.Rendezvous;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.record.Command;
import dev.elasticrun.rendezvous.record.CommandResult;
import dev.elasticrun.rendezvous.record.RendezvousEvent;
import dev.elasticrun.rendezvous.record.RunIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Handles the commands that users send to the run by this agent. Owned by the agent's loop, but for the methods of the
 * desk.
 */
public final class RunCommands implements CommandDesk, Consumer<RendezvousEvent> {
    private final String nodeId;
    private final EventLoop loop;
    private final Supplier<AgentState> state;
    private final RunObserver observer;
    private final WorkerInspector inspector;
    private final Consumer<RunEvent> events;
    private final List<CommandTracker> open = new ArrayList<>();
    private @Nullable Rendezvous rendezvous;

    /** @param events takes events */
    public RunCommands(
            String nodeId,
            EventLoop loop,
            Supplier<AgentState> state,
            RunObserver observer,
            WorkerInspector inspector,
            Consumer<RunEvent> events) {
        this.nodeId = nodeId;
        this.loop = loop;
        this.state = state;
        this.observer = observer;
        this.inspector = inspector;
        this.events = events;
    }

    /** From now on the run can be asked. */
    public void join(Rendezvous made) {
        rendezvous = made;
    }

    @Override
    public CompletableFuture<Outcome> ask(Command command, Asking asking) {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        loop.execute(() -> begin(command, asking, outcome));
        return outcome;
    }

    @Override
    public CompletableFuture<WorkerDump> dump(int rank, boolean here) {
        CompletableFuture<WorkerDump> dump = new CompletableFuture<>();
        loop.execute(() -> inspector.take(state.get(), rank, here, dump));
        return dump;
    }

    @Override
    public CompletableFuture<WorkerProfile> profile(int rank, int seconds, boolean here) {
        CompletableFuture<WorkerProfile> profile = new CompletableFuture<>();
        loop.execute(() -> inspector.profile(state.get(), rank, seconds, here, profile));
        return profile;
    }

    private void begin(Command command, Asking asking, CompletableFuture<Outcome> outcome) {
        events.accept(new RunEvent.CommandReceived(event(command), asking.from()));
        outcome.thenAccept(last -> onOutcome(command, last));
        RunIdentity identity = state.get().identity();
        Rendezvous joined = rendezvous;
        if (state.get().isEnding()) {
            String leaves = "this agent leaves the run; nothing was asked";
            outcome.complete(new Outcome(Outcome.Stage.GOING_ON, leaves, 0, 0, 0, 0));
            return;
        }
        String refusal = refusal(identity, asking);
        if (joined == null || !refusal.isEmpty()) {
            outcome.complete(new Outcome(Outcome.Stage.REFUSED, refusal, 0, 0, 0, 0));
            return;
        }
        CommandTracker asked = new CommandTracker(loop, joined, state, observer, command, asking, outcome);
        open.add(asked);
        outcome.whenComplete((last, cancelled) -> loop.execute(() -> open.remove(asked)));
        asked.begin();
    }

    private String refusal(@Nullable RunIdentity identity, Asking asking) {
        if (identity == null || rendezvous == null) {
            return "this agent has not joined its run yet";
        }
        return asking.incarnation().isEmpty() || asking.incarnation().equals(identity.incarnation())
                ? ""
                : "run " + identity.runId() + " was started anew: it is incarnation " + identity.incarnation()
                        + " (expected: " + asking.incarnation() + ")";
    }

    private void onOutcome(Command command, Outcome last) {
        RunEvent.Command asked = event(command);
        events.accept(
                !last.accepted()
                        ? new RunEvent.CommandRefused(asked, last.number(), last.text())
                        : last.stage() == Outcome.Stage.DONE
                                ? new RunEvent.CommandDone(asked, last.number(), last.text())
                                : new RunEvent.CommandAccepted(asked, last.number(), last.text()));
    }

    private static RunEvent.Command event(Command command) {
        return new RunEvent.Command(command.text(), command.requestId(), command.askedBy(), command.force());
    }

    @Override
    public void accept(RendezvousEvent event) {
        if (event instanceof RendezvousEvent.CommandSettled settled) {
            onSettled(settled.result());
        } else if (event instanceof RendezvousEvent.RunEnded end) {
            List.copyOf(open).forEach(asked -> asked.onVerdict(end.verdict()));
        }
    }

    private void onSettled(CommandResult settled) {
        events.accept(new RunEvent.CommandConsumed(
                event(settled.command()), settled.command().number(), settled.accepted(), settled.answer()));
    }

    /** The agent's state has changed: what a caller waits for may have come. */
    public void onState() {
        if (!open.isEmpty()) {
            loop.execute(() -> List.copyOf(open).forEach(CommandTracker::look));
        }
    }

    /** Reports what is known to each caller that still waits. */
    public void onLeaving() {
        List.copyOf(open).forEach(asked -> asked.onLeaving(nodeId));
    }
}
