/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.golden.GoldenFile;
import dev.elasticrun.rendezvous.record.Command;
import dev.elasticrun.rendezvous.record.CommandResult;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.GroupView;
import dev.elasticrun.rendezvous.restart.RestartDecision;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.rendezvous.restart.SoftNoReplace;
import dev.elasticrun.rendezvous.restart.SoftReplace;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The one place where the wording of plans, verdicts and answers to commands is fixed: {@code plans.txt}. */
@Tag("golden")
final class PlanTextTest {
    private final GoldenFile golden = GoldenFile.of(PlanTextTest.class, "plans.txt");

    @Test
    void text_ofEachPlan_isAsInTheGoldenFile() throws IOException {
        firstRound();
        runningRound();
        belowMinimum();
        replacement();
        keptOut();
        ends();
        commands();
        policies();
        golden.assertSame();
    }

    private void add(String title, Plan plan) {
        golden.add(title, plan.text());
    }

    private void firstRound() {
        PlannerFixture alone = PlannerFixture.soft(1, 1, 3);
        add("first round, nobody is there", alone.plan());
        PlannerFixture few = PlannerFixture.soft(3, 4, 3);
        few.join("a");
        few.join("b");
        add("first round, too few", few.plan());
        PlannerFixture run = PlannerFixture.soft(2, 3, 3);
        run.join("a").noMaster();
        run.join("b").phase(NodePhase.STARTING);
        add("first round, last call", run.plan());
        add(
                "first round, workers that are not ready",
                run.pass(PlannerFixture.LAST_CALL).plan());
        add(
                "first round, workers that are not ready for long",
                run.pass(PlannerFixture.JOIN).plan());
        run.node("b").phase(NodePhase.READY);
        add("first round, no master endpoint", run.plan());
    }

    private void runningRound() {
        add("nothing to do", PlannerFixture.soft(1, 2, 3).running("a", "b").plan());
        PlannerFixture joined = PlannerFixture.soft(1, 4, 3).running("a");
        joined.join("b");
        add("newcomers", joined.plan());
        PlannerFixture links = PlannerFixture.soft(1, 3, 3).running("a", "b", "c");
        links.node("a").loses(1, 1);
        add("a broken link", links.plan());
        PlannerFixture losses = PlannerFixture.soft(2, 5, 3)
                .running("n1", "n2", "n3", "n4", "n5")
                .collectsLosses(Duration.ofMillis(1));
        add("a lost node of many", losses.lose("n1").plan());
        PlannerFixture grace =
                PlannerFixture.soft(1, 3, 3).running("a", "b", "c").takeover();
        add("members that a new coordinator misses", grace.lose("b").lose("c").plan());
        PlannerFixture hard = PlannerFixture.hard(2, 2, 3).running("a", "b");
        hard.node("b").fails();
        hard.publish();
        hard.node("a").stopped(hard.round()).reserved();
        add("processes that have not ended", hard.plan());
        PlannerFixture causes = PlannerFixture.hard(2, 2, 0).running("a", "b");
        causes.node("a").fails();
        add("no restart is left", causes.publish());
    }

    private void belowMinimum() {
        PlannerFixture run = PlannerFixture.soft(4, 5, 9).running("a", "b", "c", "d", "e");
        run.lose("b").publishOne();
        run.allWork().node("c").fails().phase(NodePhase.STARTING);
        run.node("d").phase(NodePhase.DRAINING);
        run.publishOne();
        run.node("c").generation(1);
        add("below the minimum", run.pass(Duration.ofSeconds(10)).plan());
        PlannerFixture left = PlannerFixture.soft(2, 2, 3).running("a", "b");
        left.lose("b").publish();
        left.plan();
        golden.add(
                "below the minimum for too long",
                left.pass(PlannerFixture.JOIN).end().reason());
    }

    private void replacement() {
        PlannerFixture replaced = PlannerFixture.of(new SoftReplace(), 1, 2, 3).running("a", "b");
        replaced.node("a").fails().phase(NodePhase.STARTING);
        replaced.publishOne();
        add("workers that are replaced", replaced.plan());
        PlannerFixture patient = PlannerFixture.patient(new SoftNoReplace(), 1, 3, Duration.ofSeconds(30))
                .running("a", "b", "c");
        patient.lose("b").publishOne();
        add("a node that may return", patient.plan());
    }

    private void keptOut() {
        PlannerFixture excluded = PlannerFixture.soft(1, 3, 9).running("a", "b", "c");
        excluded.node("b").excludes("2 of 8 disks are gone");
        excluded.publishOne();
        excluded.allWork().node("b").phase(NodePhase.STANDBY);
        add("kept out, a worker wanted it", excluded.plan());
        PlannerFixture failing = PlannerFixture.soft(1, 3, 9).running("a", "b", "c");
        for (int i = 0; i < 3; i++) {
            failing.node("c").fails().phase(NodePhase.STARTING);
            failing.publishOne();
            failing.allWork().node("c").restarted();
            if (i < 2) {
                failing.plan();
                failing.pass(Duration.ofSeconds(1)).publish();
                failing.allWork();
            }
        }
        add("kept out, its workers fail", failing.plan());
        PlannerFixture follows = PlannerFixture.soft(1, 3, 9).running("a", "b", "c");
        replace(follows, "c", "c2");
        follows.publishOne();
        follows.allWork();
        replace(follows, "c2", "c3");
        add("kept out, it follows one that left", follows.plan());
        PlannerFixture links = PlannerFixture.soft(1, 3, 3).running("a", "b", "c");
        for (int i = 0; i < 2; i++) {
            Round round = links.round();
            links.node("b").loses(round.number(), 2);
            links.node("c").loses(round.number(), 1);
            links.node("a").loses(round.number(), 2);
            links.linkStaysBroken().publishOne();
            links.allWork();
        }
        links.node("c").phase(NodePhase.STANDBY);
        add("kept out, its link is broken", links.plan());
    }

    /** An agent on the host of one that is lost takes its place. */
    private static void replace(PlannerFixture run, String old, String fresh) {
        run.lose(old).publishOne();
        run.allWork().join(fresh).host("c");
    }

    private void ends() {
        PlannerFixture stopped = PlannerFixture.soft(3, 3, 3);
        stopped.join("a").phase(NodePhase.STARTING).stopsRun("data.csv:7: no label");
        golden.add("a worker stops the run", stopped.end().reason());
        PlannerFixture budget = PlannerFixture.hard(1, 1, 0).running("a");
        budget.node("a").fails();
        golden.add("the last failure", budget.end().reason());
        PlannerFixture broken = PlannerFixture.soft(1, 1, 1);
        broken.join("a").phase(NodePhase.BROKEN).fails();
        golden.add("no node can start workers", broken.end().reason());
        PlannerFixture done = PlannerFixture.soft(1, 2, 3);
        done.join("a").phase(NodePhase.DONE);
        golden.add("success", done.end().reason());
        PlannerFixture command = PlannerFixture.soft(1, 2, 2).running("a", "b").ask(Command.stop("r", "alice"));
        golden.add("stopped by a command", command.end().reason());
    }

    private void commands() {
        answer("drain", Command.drain("r", "b", false, "alice"), 1);
        answer("drain, too few are left", Command.drain("r", "b", false, "alice"), 2);
        answer("drain, no such node", Command.drain("r", "z", false, "alice"), 1);
        answer("scale", Command.scale("r", 1, 3, false, "alice"), 1);
        answer("scale, nothing changes", Command.scale("r", 1, 2, false, "alice"), 1);
        answer("scale, too few are there", Command.scale("r", 3, 4, false, "alice"), 1);
        answer("restart", Command.restart("r", "alice"), 1);
        answer("stop", Command.stop("r", "alice"), 1);
        PlannerFixture waiting = PlannerFixture.soft(2, 2, 2).ask(Command.restart("r", "alice"));
        waiting.join("a");
        waiting.publish();
        golden.add("answer to restart, no round yet", answers(waiting));
    }

    private void answer(String title, Command command, int minNodes) {
        PlannerFixture run =
                PlannerFixture.soft(minNodes, 2, 2).running("a", "b").ask(command);
        Plan plan = run.plan();
        golden.add("answer to " + title, plan.settled() == null ? plan.text() : text(plan.settled()));
    }

    private static String answers(PlannerFixture run) {
        return run.settled().stream().map(PlanTextTest::text).collect(Collectors.joining("\n"));
    }

    private static String text(CommandResult result) {
        return (result.accepted() ? "accepted: " : "refused: ") + result.answer();
    }

    private void policies() {
        policy("it throws", view -> {
            throw new IllegalStateException("no idea");
        });
        policy("it keeps a round that cannot stand", view -> new RestartDecision.Keep("fine"));
        policy("it names a stranger", view -> new RestartDecision.Reform(Set.of("z"), Set.of(), 1, "r"));
        policy("it charges too much", view -> new RestartDecision.Reform(Set.of("a"), Set.of(), 4, "r"));
        policy("it replaces", view -> new RestartDecision.Reform(Set.of(), Set.of("a"), Set.of(), 1, "r"));
    }

    private void policy(String title, Function<GroupView, RestartDecision> answer) {
        PlannerFixture run = PlannerFixture.of(new OnFailure(answer), 1, 2, 3).running("a", "b");
        run.node("a").fails().phase(NodePhase.STARTING);
        golden.add("a policy of one's own, " + title, run.end().reason());
    }

    /** Soft, but for what it answers to failures. */
    record OnFailure(Function<GroupView, RestartDecision> answer) implements RestartPolicyStrategy {
        @Override
        public String name() {
            return "own";
        }

        @Override
        public boolean workersOutliveRounds() {
            return true;
        }

        @Override
        public RestartDecision decide(GroupView view) {
            return view.culprits().isEmpty() ? new SoftNoReplace().decide(view) : answer.apply(view);
        }
    }
}
