/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.Command;
import dev.elasticrun.rendezvous.record.CommandResult;
import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.restart.MemberState;
import dev.elasticrun.rendezvous.restart.RestartDecision;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.rendezvous.terms.NodeBounds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Plans the commands of users. A command changes the newest round as little as possible: it orders a node to leave, or
 * only marks the command as consumed. Then the run is planned as ever, from that round and with the numbers of nodes
 * that hold from now on. The record that is published consumes the command, so that it is carried out once, regardless
 * of which node coordinates.
 */
final class CommandPlanner {
    private final PlannerConfig config;
    private final RestartPolicyStrategy strategy;

    CommandPlanner(PlannerConfig config, RestartPolicyStrategy strategy) {
        this.config = config;
        this.strategy = strategy;
    }

    /** Plans a situation without a command. */
    interface Rest extends Function<PlanInput, Plan> {}

    Plan plan(Command command, PlanInput now, Rest rest) {
        String refusal = refusal(command, now);
        if (!refusal.isEmpty()) {
            return amend(now, round -> round, settled(command, now, false, refusal));
        }
        return switch (command.kind()) {
            case STOP ->
                now.end(Verdicts.stoppedByCommand(command))
                        .settling(settled(command, now, true, "the run ends on all nodes"));
            case RESTART -> restart(command, now);
            case DRAIN ->
                answer(
                        command,
                        now,
                        now.round()
                                .draining(now.snapshot().node(command.nodeId()).orElseThrow()),
                        now.snapshot().target(),
                        command.nodeId() + " leaves",
                        rest);
            case SCALE -> answer(command, now, now.round(), command.nodes(), scaled(command, now), rest);
        };
    }

    /** What is published anyway carries the command; else the round is written again with it. */
    private Plan answer(Command command, PlanInput now, Round changed, NodeBounds target, String answer, Rest rest) {
        CommandResult settled = settled(command, now, true, answer);
        Round consumed = changed.withCommand(command.number());
        PlanInput then = PlanInput.of(
                config,
                now.snapshot().answered(consumed, target),
                consumed,
                now.gathering(),
                now.seen(),
                now.nowNanos(),
                strategy.elasticWorkers());
        Plan plan = rest.apply(then);
        return plan.decision() instanceof Decision.Publish
                ? plan.settling(settled)
                : amend(now, round -> changed, settled);
    }

    private static Plan amend(PlanInput now, UnaryOperator<Round> change, CommandResult settled) {
        Round amended = change.apply(now.round()).withCommand(settled.command().number());
        String reason = settled.command().text() + (settled.accepted() ? ": " : " refused: ") + settled.answer();
        return new Plan(new Decision.Publish(amended), now.gathering(), reason).settling(settled);
    }

    private static CommandResult settled(Command command, PlanInput now, boolean accepted, String answer) {
        return new CommandResult(command, accepted, answer, now.round().number());
    }

    /** No failure: nothing is charged, and under every policy all members start afresh. */
    private Plan restart(Command command, PlanInput now) {
        List<Cause> causes = List.of(new Cause.RestartCommanded());
        if (now.round().suspended() && !strategy.workersOutliveRounds()) {
            String answer = "all workers are being stopped already, and start afresh with the next round";
            return amend(now, round -> round, settled(command, now, true, answer));
        }
        RestartDecision.Reform restart = strategy.workersOutliveRounds()
                ? new RestartDecision.Reform(restarted(now), Set.of(), Set.of(), 0, causes)
                : RoundBuilder.unchanged(causes);
        Round suspended = RoundBuilder.suspend(now, !strategy.workersOutliveRounds(), restart)
                .withCommand(command.number());
        int workers = now.round().worldSize();
        return now.publish(suspended)
                .settling(settled(command, now, true, workers + " workers are stopped and started afresh"));
    }

    // All members whose workers may run, also those that lost their place to an outage and are back by another
    // registration.
    private static Set<String> restarted(PlanInput now) {
        RestartDecision.RestartAll all = new RestartDecision.RestartAll(0, List.of());
        Set<String> restarted =
                new HashSet<>(RunningRoundPlanner.restartAll(now, all).restart());
        now.memberStates().in(MemberState.LOST).stream()
                .filter(nodeId ->
                        now.snapshot().node(nodeId).filter(Node::usable).isPresent())
                .forEach(restarted::add);
        return restarted;
    }

    /** Empty when the command can be carried out. */
    private static String refusal(Command command, PlanInput now) {
        return switch (command.kind()) {
            case STOP -> "";
            case RESTART -> now.round().number() == 0 ? "no worker works yet: there is no round" : "";
            case DRAIN -> refusedDrain(command, now);
            case SCALE -> refusedScale(command, now);
        };
    }

    private static String refusedDrain(Command command, PlanInput now) {
        if (now.snapshot().node(command.nodeId()).isEmpty()) {
            return command.nodeId() + " is not in the run; it has "
                    + Node.names(now.snapshot().nodes());
        }
        boolean member = now.round().participant(command.nodeId()).isPresent();
        if (command.force() || !member || now.round().drains(command.nodeId())) {
            return "";
        }
        List<String> left = new ArrayList<>(now.memberStates().in(MemberState.HEALTHY));
        left.addAll(now.memberStates().in(MemberState.FENCED));
        left.addAll(now.memberStates().in(MemberState.REPLACING));
        left.remove(command.nodeId());
        int done = (int) now.memberStates().done().stream()
                .filter(node -> !node.nodeId().equals(command.nodeId()))
                .count();
        int room = Math.max(0, now.maxNodes() - left.size() - done);
        now.memberStates().newcomers().stream()
                .limit(room)
                .map(Node::nodeId)
                .filter(nodeId -> !nodeId.equals(command.nodeId()))
                .forEach(left::add);
        return left.size() + done >= now.minNodes()
                ? ""
                : "the run would fall below its minimum: " + (left.size() + done) + " of at least " + now.minNodes()
                        + " nodes would be left (" + (left.isEmpty() ? "none" : String.join(", ", left))
                        + "); with --force it is drained all the same, and the others wait for another node";
    }

    private static String refusedScale(Command command, PlanInput now) {
        int there = now.snapshot().usable().size() + now.memberStates().done().size();
        return command.force() || command.nodes().minNodes() <= Math.max(there, now.minNodes())
                ? ""
                : "there are " + there + " nodes, and the run would have to wait for "
                        + (command.nodes().minNodes() - there)
                        + " more as soon as anything happens to it; with --force it is scaled all the same";
    }

    private static String scaled(Command command, PlanInput now) {
        String before = now.snapshot().target().text();
        String after = command.nodes().text();
        return before.equals(after) ? "nodes: " + after + " as before" : "nodes: " + after + ", before " + before;
    }
}
