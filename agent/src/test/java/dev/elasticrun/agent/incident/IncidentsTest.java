/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.incident.IncidentReport.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is reported of three nodes, and what follows from it. */
final class IncidentsTest extends ThreeNodesLog {
    @Test
    void worker_keptInAPastRound_isSaidToBe() {
        String found = "hang: stayed in section boost for 3.2 s after round 1 had ended (grace 3.0 s); its event loop"
                + " thread has gone";
        fail("b-2", 1, 1, "'rank':1,'exit_code':137,'how':'straggler','message':'" + found + "'");
        say("a-1", 2, 2, "round.decided", "'next_round':2,'cause':'worker failed on b-2'");
        seal("a-1", 2, 2, "worker failed on b-2", 1, "a-1", "c-3");

        assertThat(IncidentText.of(last()))
                .contains(" did not come out of a round that was over and was killed by its agent: hang: stayed in"
                        + " section boost for 3.2 s after round 1 had ended (grace 3.0 s); its event loop thread has"
                        + " gone.");
    }

    @Test
    void worker_killed_isNamedWithItsSignalAndWhatItCost() {
        fail("b-2", 1, 1, "'rank':1,'exit_code':137,'how':'signal','message':'killed by SIGKILL (9)'");
        millis += 5;
        say("a-1", 2, 2, "round.decided", "'next_round':2,'cause':'worker failed on b-2'");
        pause("a-1", 2, 2, 1);
        pause("c-3", 2, 2, 1);
        seal("a-1", 2, 2, "worker failed on b-2", 1, "a-1", "c-3");
        acknowledge("a-1", 2, 2, 40, 12);
        millis += 30;
        resume("a-1", 2, 2, 40);
        millis += 20;
        resume("c-3", 2, 2, 40);
        say("a-1", 2, 2, "worker.progressed", "'slot':0,'attempt':0,'step':11");

        IncidentReport report = last();

        assertThat(report.number()).isEqualTo(2);
        assertThat(report.outcome()).isEqualTo(Outcome.WENT_ON);
        assertThat(report.failedWorkers()).singleElement().satisfies(one -> {
            assertThat(one.rank()).isEqualTo(1);
            assertThat(one.node()).isEqualTo("b-2");
        });
        assertThat(report.cost().phases().detected())
                .as("the slowest is on another host")
                .isNegative();
        assertThat(report.cost().stalled()).isEqualTo(50);
        assertThat(report.cost().progress().stepsLost()).isEqualTo(2);
        assertThat(report.cost().hard().millis()).isEqualTo(500);
        assertThat(IncidentText.of(report))
                .contains("Rank 1 on b-2 (pid 77, attempt 0) was killed by SIGKILL (9), which its agent did not send.")
                .contains(
                        "Healthy workers went on in round 2 with 2 nodes, world size 2, sealed by a-1; 1 of 3 restarts")
                .contains("Members were paused for 50 ms: 50 ms until the last worker worked.")
                .contains("They went on from checkpoint 40, the newest. 2 steps were lost.")
                .contains("would have cost about 500 ms, the median of 3 starts");
    }

    @Test
    void phases_onTheCoordinatorsHost_comeOneAfterTheOther_andAddUp() {
        fail("b-2", 1, 1, "'rank':1,'exit_code':137,'how':'signal','message':'killed by SIGKILL (9)'");
        millis += 5;
        say("a-1", 2, 2, "round.decided", "'next_round':2,'cause':'worker failed on b-2'");
        millis += 2;
        pause("a-1", 2, 2, 1);
        millis += 18;
        seal("a-1", 2, 2, "worker failed on b-2", 1, "a-1");
        millis += 30;
        resume("a-1", 2, 2, 40);

        Cost cost = last().cost();

        assertThat(List.of(
                        cost.phases().detected(),
                        cost.phases().sealed(),
                        cost.phases().paused(),
                        cost.phases().resumed()))
                .containsExactly(5.0, 20.0, 0.0, 30.0);
        assertThat(cost.total()).isEqualTo(55);
        assertThat(IncidentText.of(last()))
                .contains("It took 55 ms: 5 ms until the coordinator decided, 20 ms until the round was sealed, 30 ms"
                        + " until the last worker worked. Members were paused for 48 ms of it.");
    }

    @Test
    void workers_thatWereAllStartedAnew_areNotSaidToHaveGoneOn() {
        fail("a-1", 1, 1, "'rank':0,'exit_code':137,'how':'signal','message':'killed by SIGKILL (9)'");
        say("a-1", 1, 1, "worker.exited", "'slot':0,'attempt':0,'exit_code':137");
        say("a-1", 1, 1, "worker.started", "'slot':0,'attempt':1,'pid':78");
        say("a-1", 2, 2, "round.decided", "'next_round':2,'cause':'worker failed on a-1'");
        seal("a-1", 2, 2, "worker failed on a-1", 1, "a-1");
        millis += 30;
        resume("a-1", 2, 2, 40);

        assertThat(last().answer().survivors()).isZero();
        assertThat(IncidentText.of(last()))
                .contains("No worker went on, all were started anew in round 2")
                .doesNotContain("would have cost");
    }

    @Test
    void node_thatIsKeptOut_isNamedWithTheReasonAndTheTime() {
        fail("b-2", 1, 1, "'rank':1,'exit_code':137,'how':'signal','message':'killed by SIGKILL (9)'");
        seal("a-1", 2, 2, "worker failed on b-2", 3, "a-1", "c-3");
        say("a-1", 2, 2, "node.kept_out", "'kept':'b-2','why':'its workers failed 3 times in a row','seconds':600");

        assertThat(IncidentText.of(last()))
                .endsWith("Node b-2 was kept out for 600 s: its workers failed 3 times in a row.");
    }

    @Test
    void policy_ofTheUsersOwnThatRestartsAll_isKnownByWhatItDoes() {
        say("a-1", 1, 1, "run.joined", "'host':'near','policy':'mine','restarts_all':true");
        fail("b-2", 1, 1, "'rank':1,'exit_code':3,'how':'exit_code','message':'exit code 3'");
        seal("a-1", 2, 2, "worker failed on b-2", 1, "a-1", "b-2", "c-3");

        assertThat(last().outcome()).isEqualTo(Outcome.RESTARTED);
    }

    @Test
    void start_knownFromTheFilesOfOneNode_doesNotCountNodes() {
        events.removeIf(
                event -> event.is(RunEvent.RoundSealed.class) || !event.node().equals("c-3"));

        assertThat(IncidentText.of(last())).isEqualTo("The run began in round 1 with world size 3.");
    }

    @Test
    void failure_onAnotherHost_isNotComparedWithTheCoordinatorsClock() {
        fail("c-3", 1, 1, "'rank':2,'exit_code':1,'how':'exit_code','message':'exit code 1'");
        say("a-1", 2, 2, "round.decided", "'next_round':2,'cause':'worker failed on c-3'");
        seal("a-1", 2, 2, "worker failed on c-3", 1, "a-1", "b-2");

        assertThat(last().cost().phases().detected()).isNegative();
        assertThat(IncidentText.of(last())).contains("ended with exit code 1, and left no error report.");
    }

    @Test
    void node_provedDead_saysByWhom_alsoOfProofsThatCameLate() {
        say("b-2", 1, 1, "node.proved_dead", "'dead':'c-3','evidence':'10.0.0.3:99 refuses'");
        say("a-1", 2, 2, "round.decided", "'next_round':2,'cause':'lost c-3'");
        seal("a-1", 2, 2, "lost c-3", 0, "a-1", "b-2");
        say("a-1", 2, 2, "node.proved_dead", "'dead':'c-3','evidence':'10.0.0.3:99 refuses'");

        assertThat(Incidents.of(events)).hasSize(2);
        assertThat(last().culprits()).singleElement().isInstanceOfSatisfying(Culprit.OfNode.class, one -> assertThat(
                        one.source())
                .isEqualTo(Culprit.Source.PROVED));
        assertThat(IncidentText.of(last())).contains("Node c-3 was lost: 10.0.0.3:99 refuses (seen by a-1, b-2).");
    }

    @Test
    void node_whoseLeaseEnded_saysWhetherItsAgentLived() {
        say("a-1", 2, 2, "round.decided", "'next_round':2,'cause':'lost c-3'");
        seal("a-1", 2, 2, "lost c-3", 0, "a-1", "b-2");
        assertThat(IncidentText.of(last())).contains("its lease ran out without a sign of life");

        say("c-3", 1, 1, "node.lost", "'working_round':1");

        assertThat(IncidentText.of(last())).contains("its lease ran out while its agent lived");
    }

    @Test
    void node_thatJoins_isNamed() {
        say("d-4", 0, 0, "run.joined", "'host':'far'");
        pause("a-1", 2, 2, 1);
        say("a-1", 2, 2, "round.decided", "'next_round':2,'cause':'1 node joins'");
        seal("a-1", 2, 2, "1 node joins", 0, "a-1", "b-2", "c-3", "d-4");

        assertThat(IncidentText.of(last())).startsWith("Node d-4 joined: its workers were ready.");
    }

    @Test
    void node_thatIsTold_leaves() {
        say("b-2", 1, 1, "node.draining", "'exit_code':143");
        say("a-1", 2, 2, "round.decided", "'next_round':2,'cause':'leaving b-2'");
        seal("a-1", 2, 2, "leaving b-2", 0, "a-1", "c-3");
        say("b-2", 2, 2, "agent.ended", "'exit_code':143,'reason':'drained'");

        assertThat(Incidents.of(events)).as("the others work on").hasSize(2);
        assertThat(IncidentText.of(last())).startsWith("Node b-2 left: it was told to leave");
    }

    @Test
    void end_ofAFailedRun_hasTheRootCauseThatAllAgreeOn_andThenTheOthers() {
        say("c-3", 1, 1, "worker.exited", "'slot':0,'attempt':0,'exit_code':8,'step':41,'version':40");
        fail("c-3", 1, 1, "'rank':2,'exit_code':8,'how':'exit_code','message':'exit code 8'");
        fail("b-2", 1, 1, "'rank':1,'exit_code':143,'how':'signal','message':'killed by SIGTERM (15)'");
        fail("a-1", 1, 1, "'rank':0,'exit_code':1,'how':'exception','message':'lost peers','collateral':true");
        millis += 5;
        say(
                "a-1",
                1,
                1,
                "run.ended",
                "'succeeded':false,'exit_code':1,'reason':'worker failed on b-2, and no restart is left',"
                        + "'root_node':'b-2','root_slot':0,'root_attempt':0,'root_rank':1,'root_how':'signal'");
        millis += 20;
        say("a-1", 1, 1, "workers.gone", "'generation':0");

        assertThat(last().number()).isEqualTo(2);
        assertThat(last().outcome()).isEqualTo(Outcome.FAILED);
        assertThat(last().failedWorkers())
                .extracting(Culprit.FailedWorker::rank)
                .containsExactly(1, 2, 0);
        assertThat(IncidentText.of(last()))
                .startsWith("Rank 1 on b-2")
                .contains("Failed because of it: rank 0 on a-1.")
                .contains(
                        "The run ended as failed: worker failed on b-2, and no restart is left; 0 of 3 restarts used.")
                .contains("It took 5 ms until the run's end was decided, 25 ms until the last worker was gone.")
                .contains("The newest step was 41, the newest checkpoint 40.")
                .endsWith("A restart of all workers would have cost about 500 ms, the median of 3 starts of this run"
                        + " from process to first operation.");
    }

    @Test
    void suspended_withoutASuccessor_saysWhatItWaitsFor() {
        say("a-1", 1, 2, "round.suspended", "'cause':'lost b-2, c-3','nodes':['a-1'],'budget_used':0");
        say("a-1", 1, 2, "run.waiting", "'message':'1 of at least 2 nodes are there (a-1)'");

        assertThat(last().outcome()).isEqualTo(Outcome.WAITS);
        assertThat(last().culprits()).extracting(Culprit::node).containsExactly("b-2", "c-3");
        assertThat(IncidentText.of(last()))
                .endsWith("No round has answered it yet: 1 of at least 2 nodes are there (a-1).");
    }

    @Test
    void restart_byCommand_startedAllWorkersAgain() {
        millis += 5000;
        say("a-1", 1, 1, "worker.progressed", "'slot':0,'attempt':0,'step':1");
        millis += 5000;
        consume(1, "restart");
        say("a-1", 1, 2, "round.decided", "'next_round':1,'cause':'restart by command','suspended':true");
        say("a-1", 1, 2, "round.suspended", "'cause':'restart by command','nodes':[],'budget_used':0");
        seal("a-1", 2, 2, "3 nodes join", 0, "a-1", "b-2", "c-3");

        assertThat(last().outcome()).isEqualTo(Outcome.RESTARTED);
        assertThat(last().time())
                .as("not of the steps before")
                .isEqualTo(events.get(events.size() - 6).time());
        assertThat(IncidentText.of(last()))
                .startsWith("There was a command: restart of all workers, asked for by ann.")
                .contains("All workers were stopped and started again in round 2");
    }

    @Test
    void restart_whileANodeDies_namesBoth() {
        consume(1, "restart");
        say("b-2", 1, 1, "node.proved_dead", "'dead':'a-1','evidence':'10.0.0.1:99 refuses'");
        say("b-2", 1, 2, "round.decided", "'next_round':2,'cause':'restart by command'");
        seal("b-2", 2, 2, "2 nodes join", 0, "b-2", "c-3");

        assertThat(IncidentText.of(last()))
                .startsWith("There was a command: restart of all workers, asked for by ann."
                        + " Node a-1 was lost: 10.0.0.1:99 refuses (seen by b-2).");
    }

    @Test
    void node_leftOutByACommand_saysWho_andAStandbyThatLeavesIsNoCause() {
        say("d-4", 1, 1, "node.draining", "'exit_code':143");
        consume(1, "scale 1:2");
        say("a-1", 1, 1, "round.decided", "'next_round':2,'cause':'left out c-3; scaled to 1:2'");
        seal("a-1", 2, 2, "left out c-3; scaled to 1:2", 0, "a-1", "b-2");

        assertThat(IncidentText.of(last()))
                .startsWith("Node c-3 was left out: the run was scaled to 1:2, asked for by ann. Healthy workers")
                .doesNotContain("d-4");
    }

    @Test
    void worker_thatStopsTheRun_andEndsAtOnce_isNamedForWhatItAsked() {
        say("b-2", 1, 1, "run.stop_requested", "'slot':0,'attempt':0,'message':'data file x.csv: not found'");
        fail("b-2", 1, 1, "'rank':1,'exit_code':1,'how':'exception','message':'RunStoppedException: data file'");
        say(
                "a-1",
                1,
                1,
                "run.ended",
                "'succeeded':false,'exit_code':1,'reason':'stopped by a worker of b-2','root_node':'b-2',"
                        + "'root_slot':0,'root_attempt':0,'root_rank':1,'root_how':'signal'");

        assertThat(IncidentText.of(last()))
                .startsWith("Rank 1 on b-2 ended the run itself: data file x.csv: not found.");
    }

    @Test
    void run_stoppedByACommand_didNotFail() {
        say(
                "a-1",
                1,
                1,
                "run.ended",
                "'succeeded':false,'exit_code':143,'reason':'stopped by command of ann',"
                        + "'causes':[{'kind':'stop_commanded','asked_by':'ann'}]");

        assertThat(last().outcome()).isEqualTo(Outcome.STOPPED);
        assertThat(IncidentText.of(last())).isEqualTo("The run was stopped by command of ann; 0 of 3 restarts used.");
    }

    @Test
    void run_thatWorks_hasItsStartOnly() {
        assertThat(Incidents.of(events))
                .singleElement()
                .extracting(IncidentReport::outcome)
                .isEqualTo(Outcome.STARTED);
    }
}
