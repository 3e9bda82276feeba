/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.incident.Culprit.What;
import dev.elasticrun.agent.incident.IncidentReport.Outcome;
import dev.elasticrun.rendezvous.golden.GoldenFile;
import dev.elasticrun.rendezvous.record.FailureKind;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is reported of three nodes, and what follows from it. */
final class IncidentsTest extends ThreeNodesLog {
    @Tag("golden")
    @Test
    void text_ofEachIncident_isAsInTheGoldenFile() throws IOException {
        GoldenFile golden = GoldenFile.of(IncidentsTest.class, "incidents.txt");
        add(golden, "a worker that other libraries keep in a past round", IncidentsTest::keepsAWorkerInAPastRound);
        add(golden, "a worker that is killed", IncidentsTest::killsAWorker);
        add(
                golden,
                "a worker that is killed, on the coordinator's host",
                IncidentsTest::killsAWorkerOnTheCoordinatorsHost);
        add(golden, "workers that are all started anew", IncidentsTest::startsAllAnew);
        add(golden, "a node that is kept out", IncidentsTest::keepsANodeOut);
        add(golden, "a start that is known from the files of one node", IncidentsTest::knowsTheFilesOfOneNode);
        add(golden, "an exit code", IncidentsTest::failsOnAnotherHost);
        add(golden, "a node whose death is proved", IncidentsTest::provesADeath);
        add(golden, "a node whose lease ended", IncidentsTest::losesALease);
        add(golden, "a node whose lease ended while its agent lived", log -> {
            log.losesALease();
            log.noticesThatItsLeaseEnded();
        });
        add(golden, "a node that joins", IncidentsTest::joins);
        add(golden, "a node that leaves", IncidentsTest::leaves);
        add(golden, "a run that fails", IncidentsTest::failsForGood);
        add(golden, "a run that waits for nodes", IncidentsTest::waitsForNodes);
        add(golden, "a restart by command", IncidentsTest::restartsByCommand);
        add(golden, "a restart while a node dies", IncidentsTest::restartsWhileANodeDies);
        add(golden, "a node that is left out by a command", IncidentsTest::scalesDown);
        add(golden, "a worker that stops the run", IncidentsTest::stopsTheRun);
        add(golden, "a run that is stopped by a command", IncidentsTest::stopsByCommand);
        golden.assertSame();
    }

    private static void add(GoldenFile golden, String title, Consumer<IncidentsTest> scenario) {
        IncidentsTest log = new IncidentsTest();
        log.startsWithThreeNodes();
        scenario.accept(log);
        golden.add(title, IncidentText.of(log.last()));
    }

    private void assertCulprits(Tuple... whatAndNode) {
        assertThat(last().culprits()).extracting(Culprit::what, Culprit::node).containsExactly(whatAndNode);
    }

    @Test
    void worker_keptInAPastRound_isReported() {
        keepsAWorkerInAPastRound();

        assertThat(last().failedWorkers()).extracting(Culprit.FailedWorker::how).containsExactly(FailureKind.STRAGGLER);
    }

    private void keepsAWorkerInAPastRound() {
        String found = "hang: stayed in section boost for 3.2 s after round 1 had ended (grace 3.0 s); its event loop"
                + " thread has gone";
        fail("b-2", 1, 1, "'rank':1,'exit_code':137,'how':'straggler','message':'" + found + "'");
        note("a-1", 2, 2, "round.decided", "'next_round':2,'cause':'worker failed on b-2'");
        seal("a-1", 2, 2, "worker failed on b-2", 1, "a-1", "c-3");
    }

    @Test
    void worker_killed_isNamedWithItsSignalAndWhatItCost() {
        killsAWorker();

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
        assertThat(report.cost().hard().starts()).isEqualTo(3);
        assertThat(report.cost().progress().versionAfter()).isEqualTo(40);
        assertThat(report.cost().phases().resumed()).isEqualTo(50);
        assertThat(report.answer().coordinator()).isEqualTo("a-1");
        assertThat(report.answer().worldSize()).isEqualTo(2);
        assertThat(report.answer().restarts()).isEqualTo(new IncidentReport.Restarts(1, 3, ""));
    }

    private void killsAWorker() {
        fail("b-2", 1, 1, "'rank':1,'exit_code':137,'how':'signal','message':'killed by SIGKILL (9)'");
        millis += 5;
        note("a-1", 2, 2, "round.decided", "'next_round':2,'cause':'worker failed on b-2'");
        pause("a-1", 2, 2, 1);
        pause("c-3", 2, 2, 1);
        seal("a-1", 2, 2, "worker failed on b-2", 1, "a-1", "c-3");
        acknowledge("a-1", 2, 2, 40, 12);
        millis += 30;
        resume("a-1", 2, 2, 40);
        millis += 20;
        resume("c-3", 2, 2, 40);
        note("a-1", 2, 2, "worker.progressed", "'slot':0,'attempt':0,'step':11");
    }

    @Test
    void phases_onTheCoordinatorsHost_comeOneAfterTheOther_andAddUp() {
        killsAWorkerOnTheCoordinatorsHost();

        Cost cost = last().cost();

        assertThat(List.of(
                        cost.phases().detected(),
                        cost.phases().sealed(),
                        cost.phases().paused(),
                        cost.phases().resumed()))
                .containsExactly(5.0, 20.0, 0.0, 30.0);
        assertThat(cost.total()).isEqualTo(55);
        assertThat(cost.stalled()).isEqualTo(48);
    }

    private void killsAWorkerOnTheCoordinatorsHost() {
        fail("b-2", 1, 1, "'rank':1,'exit_code':137,'how':'signal','message':'killed by SIGKILL (9)'");
        millis += 5;
        note("a-1", 2, 2, "round.decided", "'next_round':2,'cause':'worker failed on b-2'");
        millis += 2;
        pause("a-1", 2, 2, 1);
        millis += 18;
        seal("a-1", 2, 2, "worker failed on b-2", 1, "a-1");
        millis += 30;
        resume("a-1", 2, 2, 40);
    }

    @Test
    void workers_thatWereAllStartedAnew_areNotReportedToHaveGoneOn() {
        startsAllAnew();

        assertThat(last().answer().survivors()).isZero();
        assertThat(last().outcome()).isEqualTo(Outcome.WENT_ON);
    }

    private void startsAllAnew() {
        fail("a-1", 1, 1, "'rank':0,'exit_code':137,'how':'signal','message':'killed by SIGKILL (9)'");
        note("a-1", 1, 1, "worker.exited", "'slot':0,'attempt':0,'exit_code':137");
        note("a-1", 1, 1, "worker.started", "'slot':0,'attempt':1,'pid':78");
        note("a-1", 2, 2, "round.decided", "'next_round':2,'cause':'worker failed on a-1'");
        seal("a-1", 2, 2, "worker failed on a-1", 1, "a-1");
        millis += 30;
        resume("a-1", 2, 2, 40);
    }

    @Test
    void node_thatIsKeptOut_isNamedWithTheReasonAndTheTime() {
        keepsANodeOut();

        assertThat(last().waiting().keptOut())
                .extracting(IncidentReport.KeptOut::node, IncidentReport.KeptOut::seconds)
                .containsExactly(tuple("b-2", 600L));
    }

    private void keepsANodeOut() {
        fail("b-2", 1, 1, "'rank':1,'exit_code':137,'how':'signal','message':'killed by SIGKILL (9)'");
        seal("a-1", 2, 2, "worker failed on b-2", 3, "a-1", "c-3");
        note("a-1", 2, 2, "node.kept_out", "'kept':'b-2','why':'its workers failed 3 times in a row','seconds':600");
    }

    @Test
    void policy_ofTheUsersOwnThatRestartsAll_isKnownByWhatItDoes() {
        note("a-1", 1, 1, "run.joined", "'host':'near','policy':'mine','restarts_all':true");
        fail("b-2", 1, 1, "'rank':1,'exit_code':3,'how':'exit_code','message':'exit code 3'");
        seal("a-1", 2, 2, "worker failed on b-2", 1, "a-1", "b-2", "c-3");

        assertThat(last().outcome()).isEqualTo(Outcome.RESTARTED);
    }

    @Test
    void start_knownFromTheFilesOfOneNode_doesNotCountNodes() {
        knowsTheFilesOfOneNode();

        assertThat(last().answer().worldSize()).isEqualTo(3);
        assertThat(last().answer().coordinator()).isEmpty();
    }

    private void knowsTheFilesOfOneNode() {
        events.removeIf(
                event -> event.is(RunEvent.RoundSealed.class) || !event.node().equals("c-3"));
    }

    @Test
    void failure_onAnotherHost_isNotComparedWithTheCoordinatorsClock() {
        failsOnAnotherHost();

        assertThat(last().cost().phases().detected()).isNegative();
        assertThat(last().failedWorkers())
                .extracting(Culprit.FailedWorker::how, one -> one.end().exitCode())
                .containsExactly(tuple(FailureKind.EXIT_CODE, 1));
    }

    private void failsOnAnotherHost() {
        fail("c-3", 1, 1, "'rank':2,'exit_code':1,'how':'exit_code','message':'exit code 1'");
        note("a-1", 2, 2, "round.decided", "'next_round':2,'cause':'worker failed on c-3'");
        seal("a-1", 2, 2, "worker failed on c-3", 1, "a-1", "b-2");
    }

    @Test
    void node_provedDead_reportsByWhom_alsoOfProofsThatCameLate() {
        provesADeath();

        assertThat(Incidents.of(events)).hasSize(2);
        assertThat(last().culprits()).singleElement().isInstanceOfSatisfying(Culprit.OfNode.class, one -> assertThat(
                        one.source())
                .isEqualTo(Culprit.Source.PROVED));
        assertThat(last().culprits().get(0).evidence()).contains("a-1, b-2");
    }

    private void provesADeath() {
        note("b-2", 1, 1, "node.proved_dead", "'dead':'c-3','evidence':'10.0.0.3:99 refuses'");
        note("a-1", 2, 2, "round.decided", "'next_round':2,'cause':'lost c-3'");
        seal("a-1", 2, 2, "lost c-3", 0, "a-1", "b-2");
        note("a-1", 2, 2, "node.proved_dead", "'dead':'c-3','evidence':'10.0.0.3:99 refuses'");
    }

    @Test
    void node_whoseLeaseEnded_reportsWhetherItsAgentLived() {
        losesALease();
        String silent = last().culprits().get(0).evidence();

        noticesThatItsLeaseEnded();

        assertThat(last().culprits()).singleElement().isInstanceOfSatisfying(Culprit.OfNode.class, one -> {
            assertThat(one.what()).isEqualTo(What.NODE_LOST);
            assertThat(one.source()).isEqualTo(Culprit.Source.LEASE);
            assertThat(one.evidence()).isNotEqualTo(silent);
        });
    }

    private void losesALease() {
        note("a-1", 2, 2, "round.decided", "'next_round':2,'cause':'lost c-3'");
        seal("a-1", 2, 2, "lost c-3", 0, "a-1", "b-2");
    }

    private void noticesThatItsLeaseEnded() {
        note("c-3", 1, 1, "node.lost", "'working_round':1");
    }

    @Test
    void node_thatJoins_isNamed() {
        joins();

        assertCulprits(tuple(What.JOINED, "d-4"));
    }

    private void joins() {
        note("d-4", 0, 0, "run.joined", "'host':'far'");
        pause("a-1", 2, 2, 1);
        note("a-1", 2, 2, "round.decided", "'next_round':2,'cause':'1 node joins'");
        seal("a-1", 2, 2, "1 node joins", 0, "a-1", "b-2", "c-3", "d-4");
    }

    @Test
    void node_thatIsAsked_leaves() {
        leaves();

        assertThat(Incidents.of(events)).as("the others work on").hasSize(2);
        assertCulprits(tuple(What.NODE_LEFT, "b-2"));
    }

    private void leaves() {
        note("b-2", 1, 1, "node.draining", "'exit_code':143");
        note("a-1", 2, 2, "round.decided", "'next_round':2,'cause':'leaving b-2'");
        seal("a-1", 2, 2, "leaving b-2", 0, "a-1", "c-3");
        note("b-2", 2, 2, "agent.ended", "'exit_code':143,'reason':'drained'");
    }

    @Test
    void end_ofAFailedRun_hasTheRootCauseThatAllAgreeOn_andThenTheOthers() {
        failsForGood();

        assertThat(last().number()).isEqualTo(2);
        assertThat(last().outcome()).isEqualTo(Outcome.FAILED);
        assertThat(last().failedWorkers())
                .extracting(Culprit.FailedWorker::rank)
                .containsExactly(1, 2, 0);
        assertThat(last().failedWorkers())
                .extracting(Culprit.FailedWorker::followed)
                .containsExactly(false, false, true);
        assertThat(last().answer().restarts()).isEqualTo(new IncidentReport.Restarts(0, 3, ""));
        assertThat(last().cost().end()).isEqualTo(new Cost.End(5, 25));
        assertThat(last().cost().progress().stepBefore()).isEqualTo(41);
        assertThat(last().cost().progress().versionBefore()).isEqualTo(40);
        assertThat(last().cost().hard()).isEqualTo(new Cost.Restart(500, 3));
    }

    private void failsForGood() {
        note("c-3", 1, 1, "worker.exited", "'slot':0,'attempt':0,'exit_code':8,'step':41,'version':40");
        fail("c-3", 1, 1, "'rank':2,'exit_code':8,'how':'exit_code','message':'exit code 8'");
        fail("b-2", 1, 1, "'rank':1,'exit_code':143,'how':'signal','message':'killed by SIGTERM (15)'");
        fail("a-1", 1, 1, "'rank':0,'exit_code':1,'how':'exception','message':'lost peers','collateral':true");
        millis += 5;
        note(
                "a-1",
                1,
                1,
                "run.ended",
                "'succeeded':false,'exit_code':1,'reason':'worker failed on b-2, and no restart is left',"
                        + "'root_node':'b-2','root_slot':0,'root_attempt':0,'root_rank':1,'root_how':'signal'");
        millis += 20;
        note("a-1", 1, 1, "workers.gone", "'generation':0");
    }

    @Test
    void suspended_withoutASuccessor_reportsWhatItWaitsFor() {
        waitsForNodes();

        assertThat(last().outcome()).isEqualTo(Outcome.WAITS);
        assertThat(last().culprits()).extracting(Culprit::node).containsExactly("b-2", "c-3");
        assertThat(last().waiting().reason()).contains("(a-1)");
    }

    private void waitsForNodes() {
        note("a-1", 1, 2, "round.suspended", "'cause':'lost b-2, c-3','nodes':['a-1'],'budget_used':0");
        note("a-1", 1, 2, "run.waiting", "'message':'1 of at least 2 nodes are there (a-1)'");
    }

    @Test
    void restart_byCommand_startedAllWorkersAgain() {
        restartsByCommand();

        assertThat(last().outcome()).isEqualTo(Outcome.RESTARTED);
        assertThat(last().time())
                .as("not of the steps before")
                .isEqualTo(events.get(events.size() - 6).time());
        assertCulprits(tuple(What.COMMAND, "a-1"));
        assertThat(last().culprits().get(0).evidence()).contains("ann");
        assertThat(last().answer().round()).isEqualTo(2);
    }

    private void restartsByCommand() {
        millis += 5000;
        note("a-1", 1, 1, "worker.progressed", "'slot':0,'attempt':0,'step':1");
        millis += 5000;
        consume(1, "restart");
        note("a-1", 1, 2, "round.decided", "'next_round':1,'cause':'restart by command','suspended':true");
        note("a-1", 1, 2, "round.suspended", "'cause':'restart by command','nodes':[],'budget_used':0");
        seal("a-1", 2, 2, "3 nodes join", 0, "a-1", "b-2", "c-3");
    }

    @Test
    void restart_whileANodeDies_namesBoth() {
        restartsWhileANodeDies();

        assertCulprits(tuple(What.COMMAND, "b-2"), tuple(What.NODE_LOST, "a-1"));
    }

    private void restartsWhileANodeDies() {
        consume(1, "restart");
        note("b-2", 1, 1, "node.proved_dead", "'dead':'a-1','evidence':'10.0.0.1:99 refuses'");
        note("b-2", 1, 2, "round.decided", "'next_round':2,'cause':'restart by command'");
        seal("b-2", 2, 2, "2 nodes join", 0, "b-2", "c-3");
    }

    @Test
    void node_leftOutByACommand_reportsWho_andAStandbyThatLeavesIsNoCause() {
        scalesDown();

        assertCulprits(tuple(What.LEFT_OUT, "c-3"));
        assertThat(last().culprits().get(0).evidence()).contains("1:2", "ann");
    }

    private void scalesDown() {
        note("d-4", 1, 1, "node.draining", "'exit_code':143");
        consume(1, "scale 1:2");
        note("a-1", 1, 1, "round.decided", "'next_round':2,'cause':'left out c-3; scaled to 1:2'");
        seal("a-1", 2, 2, "left out c-3; scaled to 1:2", 0, "a-1", "b-2");
    }

    @Test
    void worker_thatStopsTheRun_andEndsAtOnce_isNamedForWhatItAsked() {
        stopsTheRun();

        assertThat(last().failedWorkers()).first().satisfies(one -> {
            assertThat(one.rank()).isOne();
            assertThat(one.how()).isEqualTo(FailureKind.STOPPED_THE_RUN);
            assertThat(one.evidence()).contains("x.csv");
        });
    }

    private void stopsTheRun() {
        note("b-2", 1, 1, "run.stop_requested", "'slot':0,'attempt':0,'message':'data file x.csv: not found'");
        fail("b-2", 1, 1, "'rank':1,'exit_code':1,'how':'exception','message':'RunStoppedException: data file'");
        note(
                "a-1",
                1,
                1,
                "run.ended",
                "'succeeded':false,'exit_code':1,'reason':'stopped by a worker of b-2','root_node':'b-2',"
                        + "'root_slot':0,'root_attempt':0,'root_rank':1,'root_how':'signal'");
    }

    @Test
    void run_stoppedByACommand_didNotFail() {
        stopsByCommand();

        assertThat(last().outcome()).isEqualTo(Outcome.STOPPED);
        assertThat(last().culprits()).isEmpty();
    }

    private void stopsByCommand() {
        note(
                "a-1",
                1,
                1,
                "run.ended",
                "'succeeded':false,'exit_code':143,'reason':'stopped by command of ann',"
                        + "'causes':[{'kind':'stop_commanded','asked_by':'ann'}]");
    }

    @Test
    void run_thatWorks_hasItsStartOnly() {
        assertThat(Incidents.of(events))
                .singleElement()
                .extracting(IncidentReport::outcome)
                .isEqualTo(Outcome.STARTED);
    }
}
