/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.Command;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.restart.GroupView;
import dev.elasticrun.rendezvous.restart.RestartDecision;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.rendezvous.terms.NodeBounds;
import dev.elasticrun.rendezvous.terms.RunSpec;
import dev.elasticrun.rendezvous.terms.RunTerms;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One call of the planner: all that it was given, what the policy answered, and what it returned. Whoever calls a planner
 * of the same version with it gets the same plan. It contains no key of the run.
 *
 * @param policy name of the restart policy, with its option after a colon if it has one
 * @param advice what the policy was asked and answered, in order
 */
public record PlannerCall(PlannerConfig config, String policy, Given given, List<Advice> advice, Plan plan) {

    public PlannerCall {
        Objects.requireNonNull(config, "config");
        Objects.requireNonNull(given, "given");
        Objects.requireNonNull(plan, "plan");
        Objects.requireNonNull(plan.decision(), "decision");
        Objects.requireNonNull(plan.gathering(), "gathering");
        advice = List.copyOf(advice);
    }

    /**
     * What the planner was given.
     *
     * @param terms of the run
     * @param target how many nodes the run is to have
     * @param nodes live nodes, in the order in which they joined
     * @param round the newest round; null before the first
     * @param verdict set once the run has ended
     * @param failures the earliest first
     * @param commands of users, which wait
     * @param gathering what the coordinator waited for until then
     * @param seen since when it had seen what
     * @param nowNanos the time, on the clock of the coordinator's loop
     */
    public record Given(
            RunTerms terms,
            NodeBounds target,
            List<Node> nodes,
            @Nullable Round round,
            @Nullable Verdict verdict,
            List<Failure> failures,
            List<Command> commands,
            Gathering gathering,
            Observations seen,
            long nowNanos) {

        public Given {
            Objects.requireNonNull(terms, "terms");
            Objects.requireNonNull(target, "target");
            Objects.requireNonNull(gathering, "gathering");
            Objects.requireNonNull(seen, "seen");
            nodes = List.copyOf(nodes);
            failures = List.copyOf(failures);
            commands = List.copyOf(commands);
        }

        static Given of(Snapshot snapshot, Gathering gathering, Observations seen, long nowNanos) {
            return new Given(
                    snapshot.spec().terms(),
                    snapshot.target(),
                    snapshot.nodes(),
                    snapshot.round(),
                    snapshot.verdict(),
                    snapshot.failures(),
                    snapshot.commands(),
                    gathering,
                    seen,
                    nowNanos);
        }

        private Snapshot snapshot() {
            RunSpec spec = new RunSpec("", terms, new byte[0], new byte[0], 0);
            return new Snapshot(spec, nodes, round, verdict, failures).asked(target, commands);
        }

        private Given withoutOutput() {
            return new Given(
                    terms,
                    target,
                    nodes.stream().map(PlannerCall::withoutOutput).toList(),
                    round,
                    verdict,
                    failures.stream().map(Failure::withoutOutput).toList(),
                    commands,
                    gathering,
                    seen,
                    nowNanos);
        }
    }

    /** What the policy was asked, and its answer. */
    public record Advice(GroupView view, RestartDecision decision) {
        public Advice {
            Objects.requireNonNull(view, "view");
            Objects.requireNonNull(decision, "decision");
        }
    }

    /** The incident that the plan answers, or waits to answer, from 1. */
    public long incident() {
        Round round = plan.decision() instanceof Decision.Publish publish ? publish.round() : given.round();
        if (round == null) {
            return 1;
        }
        boolean isNext = !(plan.decision() instanceof Decision.Publish) && !round.suspended();
        return Math.max(1, isNext ? round.incident() + 1 : round.incident());
    }

    /** Whether it ends the run, seals or suspends a round, or consumes a command. */
    public boolean decides() {
        return plan.decision() instanceof Decision.End
                || (plan.decision() instanceof Decision.Publish publish
                        && (plan.settled() != null || !publish.round().amends(given.round())));
    }

    /** The same input, for the planner of this version with that policy. */
    public PlannerCall again(RestartPolicyStrategy strategy) {
        return new WitnessedPlanner(config, strategy)
                .plan(given.snapshot(), given.gathering(), given.seen(), given.nowNanos());
    }

    /** The same without what workers wrote, which no plan depends on. */
    public PlannerCall withoutOutput() {
        return new PlannerCall(config, policy, given.withoutOutput(), advice, withoutOutput(plan));
    }

    private static Node withoutOutput(Node node) {
        NodeRecord record = node.record();
        Failure stopRun = record.reports().stopRun();
        if (record.failures().isEmpty() && stopRun == null) {
            return node;
        }
        NodeRecord.Reports reports = new NodeRecord.Reports(
                record.reports().peersLost(),
                stopRun == null ? null : stopRun.withoutOutput(),
                record.reports().excluded(),
                record.reports().wishedPlace());
        NodeRecord rest = new NodeRecord(
                record.spec(),
                record.phase(),
                record.group(),
                record.rounds(),
                reports,
                record.checkpoint(),
                record.publication());
        return new Node(
                rest.withFailures(
                        record.failures().stream().map(Failure::withoutOutput).toList()),
                node.createRevision(),
                node.dialled());
    }

    private static Plan withoutOutput(Plan plan) {
        if (!(plan.decision() instanceof Decision.End end)) {
            return plan;
        }
        Verdict verdict = end.verdict();
        Verdict rest = new Verdict(
                verdict.succeeded(),
                verdict.exitCode(),
                verdict.reason(),
                verdict.failures().stream().map(Failure::withoutOutput).toList(),
                verdict.causes());
        return new Plan(new Decision.End(rest), plan.gathering(), plan.reason(), plan.times(), plan.settled());
    }
}
