/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.agent.context.AgentSettings;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Order;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunIdentity;
import dev.elasticrun.rendezvous.record.WorldChange;
import dev.elasticrun.worker.contract.PauseKind;
import java.time.Duration;
import java.util.List;

/** Decides when an agent starts a fresh group of workers after one that is gone, and in what state. Pure. */
final class RestartRules {
    /** Soft: failures before READY of the program itself, in a row. */
    static final int MAX_SOFT_START_FAILURES = 5;

    /** Hard: failures before the process ran, in a row. */
    static final int MAX_HARD_START_FAILURES = 3;

    private static final Duration FIRST_BACK_OFF = Duration.ofSeconds(1);
    private static final int MAX_BACK_OFF_DOUBLINGS = 5;
    private static final Duration BACK_OFF = Duration.ofMillis(250);
    private static final int MAX_DOUBLINGS = 3;
    private static final int MAX_DOUBLINGS_OF_MANY = 7;
    // JVMs that start keep a machine's processors busy: survivors beside them re-form first, since other nodes wait for
    // them.
    private static final Duration SURVIVORS_FIRST = Duration.ofMillis(100);
    /** How long a node that cannot start its workers waits for the run to end before it leaves alone. */
    private static final Duration BROKEN_WAIT = Duration.ofSeconds(2);

    private final AgentSettings settings;

    RestartRules(AgentSettings settings) {
        this.settings = settings;
    }

    /**
     * Too many failures to start in a row. The node waits for one of the run's restarts to try again; without a budget it is
     * given up, unless the run ends by itself.
     */
    Transition outOfStarts(AgentState state) {
        String reason = inARow(state.group().startFailures());
        return maxRestarts(state) > 0
                ? Transition.noticed(
                        state.withPhase(NodePhase.BACKING_OFF),
                        reason + ": starting them again takes one of the run's restarts")
                : broken(state, reason);
    }

    private static String inARow(StartFailures failures) {
        return "workers failed to start " + failures.own() + " times in a row";
    }

    private int maxRestarts(AgentState state) {
        RunIdentity run = state.identity();
        return run == null ? settings.restarts().budget().max() : run.maxRestarts();
    }

    /** One of the run's restarts is for this node: it backs off, and then tries again. */
    Transition backOff(AgentState state, Round round) {
        int limit = settings.workersOutliveRounds() ? MAX_SOFT_START_FAILURES : MAX_HARD_START_FAILURES;
        int doublings = Math.min(state.group().startFailures().own() - limit, MAX_BACK_OFF_DOUBLINGS);
        Duration delay = FIRST_BACK_OFF.multipliedBy(1L << doublings);
        String reason = inARow(state.group().startFailures());
        return Transition.noticed(
                state,
                reason + ": backing off for " + delay.toMillis() + " ms before they start again; restarts used "
                        + round.budgetUsed() + " of " + maxRestarts(state),
                new AgentEffect.Log(
                        new RunEvent.NodeBackingOff(reason, delay.toMillis(), round.budgetUsed(), maxRestarts(state))),
                new AgentEffect.Schedule(
                        delay, new AgentEvent.BackOffOver(state.group().generation())));
    }

    /** The back-off was over before all that is left of the last attempt was gone. */
    static Transition backOffLonger(AgentState state) {
        return Transition.to(
                state,
                "",
                new AgentEffect.Schedule(
                        BACK_OFF, new AgentEvent.BackOffOver(state.group().generation())));
    }

    private static Transition broken(AgentState state, String reason) {
        return Transition.noticed(
                state.withPhase(NodePhase.BROKEN),
                reason,
                new AgentEffect.Schedule(BROKEN_WAIT, new AgentEvent.Aborted(EndRules.WORKER_FAILURE, reason)));
    }

    /** After failures to start: the more in a row, the later. */
    static Transition startLater(AgentState state) {
        return startIn(delay(state.group().startFailures()), state);
    }

    private static Duration delay(StartFailures failures) {
        int most = failures.own() < MAX_SOFT_START_FAILURES ? MAX_DOUBLINGS : MAX_DOUBLINGS_OF_MANY;
        return BACK_OFF.multipliedBy(1L << Math.min(failures.total() - 1, most));
    }

    /** Beside workers that re-form first. */
    static Transition startBeside(AgentState state) {
        return startIn(SURVIVORS_FIRST, state);
    }

    private static Transition startIn(Duration delay, AgentState state) {
        return Transition.to(
                state,
                "starting workers again in " + delay.toMillis() + " ms",
                new AgentEffect.Schedule(
                        delay, new AgentEvent.RestartDue(state.group().generation())));
    }

    /**
     * Whether a failed group waits for orders that will not come: the newest round has neither a place nor an order for
     * it, because the node was lost before its failure was seen, or stood by.
     */
    boolean forgotten(AgentState state) {
        Round round = state.round();
        return round != null
                && state.reports().stopRun() == null
                && state.group().phase() == GroupState.Phase.GONE
                && state.phase() == NodePhase.STARTING
                && state.group().startFailures().total() == 0
                && state.place(round, settings.nodeId()).isEmpty()
                && round.order(settings.nodeId())
                        .filter(order -> isFor(order, state.group()))
                        .isEmpty();
    }

    /** Whether an order is about this group. Elastic workers may have been followed by others since it was given. */
    boolean isFor(Order order, GroupState group) {
        return order.generation() == group.generation()
                || (settings.restarts().elasticWorkers()
                        && order.isAboutAnyOf(group.workers().stream().mapToInt(WorkerView::attempt)));
    }

    /** Soft: a fresh group instead of one that is gone; at once when the others wait, too. */
    Transition byOrder(AgentState state, Round round) {
        return round.suspended() ? restart(state, "ordered by round " + round.number()) : startBeside(state);
    }

    /** Soft: a fresh group, at once. */
    Transition restart(AgentState state, String reason) {
        int generation = state.group().generation() + 1;
        GroupState fresh = state.group().renewed(generation, List.of()).withPhase(GroupState.Phase.RUNNING);
        AgentState next = state.with(fresh).withPhase(NodePhase.STARTING).idle();
        Transition started =
                Transition.to(next, "starting fresh workers: " + reason, AgentEffect.StartGroup.paused(generation));
        if (next.identity() == null) {
            return started;
        }
        // A round that we have not seen may have used our master endpoint, and one after it may have left us out.
        Transition paused = Pauses.pause(settings, next, WorldChange.NONE, PauseKind.CHANGE, "no round yet");
        return started.then(paused).then(Pauses.nextMaster(paused.state()));
    }

    /** Hard: the next group, which waits for its round. */
    Transition renew(AgentState state, String reason) {
        GroupState fresh = state.group().renewed(state.group().generation() + 1, List.of());
        AgentState next = state.with(fresh).withPhase(NodePhase.STARTING).idle();
        return Transition.to(next, reason, new AgentEffect.ReservePorts(true));
    }
}
