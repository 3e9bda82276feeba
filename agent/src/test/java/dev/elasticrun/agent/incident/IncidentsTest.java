/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.incident.IncidentReport.Outcome;
import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.restart.CauseFields;
import dev.elasticrun.rendezvous.restart.CauseText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two nodes of one host and one of another, soft; what is told of them, and what follows from it. */
final class IncidentsTest {
    /** Causes of rounds here, by their text. */
    private static final Map<String, List<Cause>> CAUSES = Stream.<List<Cause>>of(
                    List.of(new Cause.WorkersFailed(List.of("a-1"))),
                    List.of(new Cause.WorkersFailed(List.of("b-2"))),
                    List.of(new Cause.WorkersFailed(List.of("c-3"))),
                    List.of(new Cause.NodesLost(List.of("c-3"))),
                    List.of(new Cause.NodesLost(List.of("b-2", "c-3"))),
                    List.of(new Cause.NodesLeaving(List.of("b-2"))),
                    List.of(new Cause.NodesFenced(List.of("a-1"))),
                    List.of(new Cause.NodesExcluded(List.of("c-3")), new Cause.ScaleCommanded("1:2")),
                    List.of(new Cause.RestartCommanded()))
            .collect(Collectors.toMap(CauseText::of, Function.identity()));

    private static final Pattern CAUSE = Pattern.compile("'cause':'([^']*)'");

    private final List<LoggedEvent> events = new ArrayList<>();
    private long millis = 1000;

    @BeforeEach
    void startsWithThreeNodes() {
        for (String node : List.of("a-1", "b-2", "c-3")) {
            String host = node.equals("c-3") ? "far" : "near";
            say(node, 0, 0, "run.joined", "'host':'" + host + "','policy':'soft-no-replace','max_restarts':3");
            say(node, 0, 0, "worker.started", "'slot':0,'attempt':0,'pid':77");
            millis += 400;
            say(node, 0, 0, "worker.ready", "'slot':0,'attempt':0");
        }
        say("a-1", 1, 1, "round.decided", "'next_round':1,'cause':'start with 3 nodes'");
        seal("a-1", 1, 1, "start with 3 nodes", 0, "a-1", "b-2", "c-3");
        millis += 100;
        for (String node : List.of("a-1", "b-2", "c-3")) {
            resume(node, 1, 1, 0);
        }
    }

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
        assertThat(report.culprits()).singleElement().satisfies(one -> {
            assertThat(one.rank()).isEqualTo(1);
            assertThat(one.node()).isEqualTo("b-2");
        });
        assertThat(report.cost().detected())
                .as("the slowest is on another host")
                .isNegative();
        assertThat(report.cost().stalled()).isEqualTo(50);
        assertThat(report.cost().stepsLost()).isEqualTo(2);
        assertThat(report.cost().hard()).isEqualTo(500);
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

        assertThat(List.of(cost.detected(), cost.sealed(), cost.paused(), cost.resumed()))
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

        assertThat(last().survivors()).isZero();
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

        assertThat(last().cost().detected()).isNegative();
        assertThat(IncidentText.of(last())).contains("ended with exit code 1, and left no error report.");
    }

    @Test
    void node_provedDead_saysByWhom_alsoOfProofsThatCameLate() {
        say("b-2", 1, 1, "node.proved_dead", "'dead':'c-3','evidence':'10.0.0.3:99 refuses'");
        say("a-1", 2, 2, "round.decided", "'next_round':2,'cause':'lost c-3'");
        seal("a-1", 2, 2, "lost c-3", 0, "a-1", "b-2");
        say("a-1", 2, 2, "node.proved_dead", "'dead':'c-3','evidence':'10.0.0.3:99 refuses'");

        assertThat(Incidents.of(events)).hasSize(2);
        assertThat(last().culprits()).singleElement().extracting(Culprit::how).isEqualTo("proved");
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
        assertThat(last().culprits()).extracting(Culprit::rank).containsExactly(1, 2, 0);
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

    @Test
    void store_awayWhileTheRoundGoesOn_isAPauseWithItsCauseAndItsCost() {
        outage(4000);

        List<IncidentReport> all = Incidents.of(events);
        assertThat(all).extracting(IncidentReport::outcome).containsExactly(Outcome.STARTED, Outcome.PAUSED);
        assertThat(last().cause()).isEqualTo("store not reachable");
        assertThat(last().fromRound()).isEqualTo(1);
        assertThat(last().toRound()).isEqualTo(1);
        assertThat(last().survivors()).isEqualTo(3);
        assertThat(last().cost().stalled()).isEqualTo(4050);
        assertThat(last().over()).isEqualTo(last().time().plusMillis(4050));
        assertThat(IncidentText.of(last()))
                .isEqualTo(
                        "Node a-1 could not reach the store: etcd has not answered for 5 s. Node b-2 could not reach the"
                                + " store: etcd has not answered for 5 s. Node c-3 could not reach the store: etcd has not"
                                + " answered for 5 s. 3 workers went on in round 1, which was not changed. Members were paused for"
                                + " 4.1 s: 4.0 s until members received WORK, 50 ms until the last worker worked. They went on"
                                + " from checkpoint 40, the newest. No step was lost.");
    }

    @Test
    void store_awayBefore_isNoPartOfTheNextIncident_norOfTheOneBefore() {
        outage(4000);
        outage(3000);
        Cost start = Incidents.of(events).get(0).cost();
        millis += 5000;
        fail("b-2", 1, 1, "'rank':1,'exit_code':137,'how':'signal','message':'killed by SIGKILL (9)'");
        say("a-1", 2, 2, "round.decided", "'next_round':2,'cause':'worker failed on b-2'");
        pause("a-1", 2, 2, 1);
        pause("c-3", 2, 2, 1);
        long failed = millis;
        seal("a-1", 2, 2, "worker failed on b-2", 1, "a-1", "c-3");
        millis += 30;
        resume("a-1", 2, 2, 40);
        resume("c-3", 2, 2, 40);

        assertThat(Incidents.of(events))
                .extracting(IncidentReport::outcome)
                .containsExactly(Outcome.STARTED, Outcome.PAUSED, Outcome.PAUSED, Outcome.WENT_ON);
        assertThat(last().cost().stalled()).isEqualTo(30);
        assertThat(last().survivors()).isEqualTo(2);
        assertThat(last().time().toEpochMilli() % 60_000).isEqualTo(failed);
        assertThat(start.total()).isLessThan(1000);
    }

    @Test
    void store_stillAway_isAPauseThatGoesOn() {
        pause("a-1", 1, 1, 1);
        say("a-1", 1, 1, "node.fenced", "'working_round':1");

        assertThat(last().isOpen()).isTrue();
        assertThat(IncidentText.of(last()))
                .isEqualTo(
                        "Node a-1 could not reach the store: its lease was not renewed in time. Workers are paused until"
                                + " it answers.");
    }

    @Test
    void store_awayUntilANewRound_isThatRoundsIncident() {
        pause("a-1", 1, 1, 1);
        say("a-1", 1, 1, "node.fenced", "'working_round':1");
        millis += 4000;
        say("b-2", 2, 2, "round.decided", "'next_round':2,'cause':'fenced a-1'");
        seal("b-2", 2, 2, "fenced a-1", 0, "a-1", "b-2", "c-3");
        resume("a-1", 2, 2, 0);

        assertThat(Incidents.of(events))
                .extracting(IncidentReport::outcome)
                .containsExactly(Outcome.STARTED, Outcome.WENT_ON);
        assertThat(last().cost().stalled()).isEqualTo(4000);
    }

    @Test
    void leases_inDoubtUnderHard_areAPauseOfThoseThatKnowOfLeases() {
        say("a-1", 1, 1, "node.fenced", "'working_round':1");
        millis += 1500;
        say("a-1", 1, 1, "node.restored", "'stalled':false");

        assertThat(IncidentText.of(last()))
                .isEqualTo(
                        "Node a-1 could not reach the store: its lease was not renewed in time. Leases were in doubt for"
                                + " 1.5 s: workers that know of leases were paused by themselves until they were renewed. Round 1"
                                + " went on.");
    }

    @Test
    void logs_whoseBeginningIsGone_sayNothingOfWhatTheyDoNotHave() {
        cutLogs(6, 6);
        say("a-1", 6, 6, "command.received", "'command':'status'");

        assertThat(Incidents.of(events)).isEmpty();
        assertThat(Incidents.knownSince(events)).contains(events.get(0).time());
    }

    @Test
    void logs_whoseBeginningIsGone_tellWholeIncidentsOnly() {
        cutLogs(6, 6);
        fail("b-2", 6, 6, "'rank':1,'exit_code':137,'how':'signal','message':'killed by SIGKILL (9)'");
        pause("a-1", 7, 7, 6);
        seal("a-1", 7, 7, "worker failed on b-2", 1, "a-1", "b-2");
        millis += 30;
        resume("a-1", 7, 7, 40);
        resume("b-2", 7, 7, 40);
        fail("b-2", 7, 7, "'rank':1,'exit_code':137,'how':'signal','message':'killed by SIGKILL (9)'");
        pause("a-1", 8, 8, 7);
        seal("a-1", 8, 8, "worker failed on b-2", 2, "a-1", "b-2");
        resume("a-1", 8, 8, 41);
        resume("b-2", 8, 8, 41);
        fail("a-1", 8, 8, "'rank':0,'exit_code':1,'how':'exit_code','message':'exit code 1'");

        assertThat(Incidents.of(events))
                .extracting(IncidentReport::number, IncidentReport::outcome)
                .containsExactly(tuple(7L, Outcome.WENT_ON), tuple(8L, Outcome.WENT_ON), tuple(9L, Outcome.WAITS));
        assertThat(Incidents.of(events).get(1).survivors())
                .as("processes whose starts are gone")
                .isEqualTo(2);
        assertThat(IncidentText.of(Incidents.of(events).get(0))).doesNotContain("The run began", "No worker went on");
    }

    @Test
    void failure_inARoundWhoseEventsAreGone_isTold() {
        cutLogs(6, 6);
        fail("b-2", 6, 6, "'rank':1,'exit_code':137,'how':'signal','message':'killed by SIGKILL (9)'");

        assertThat(last().number()).isEqualTo(7);
        assertThat(last().outcome()).isEqualTo(Outcome.WAITS);
    }

    @Test
    void lines_thatAreNoEvents_areLeftOut() {
        assertThat(LoggedEvent.parse("{\"kind\":\"a\"")).isEmpty();
        assertThat(LoggedEvent.parse("[1]")).isEmpty();
        assertThat(LoggedEvent.parse("null")).isEmpty();
        assertThat(LoggedEvent.parse("")).isEmpty();
    }

    /** The newest parts of the logs of two nodes, which were there long before. */
    private void cutLogs(long round, long incident) {
        events.clear();
        for (String node : List.of("a-1", "b-2")) {
            say(node, 0, 0, "log.continued", "'offset':50000000");
            say(node, round, incident, "store.well", "'message':'well'");
        }
    }

    private void outage(long length) {
        List<String> nodes = List.of("a-1", "b-2", "c-3");
        for (String node : nodes) {
            pause(node, 1, 1, 1);
            say(node, 1, 1, "node.fenced", "'working_round':1");
            acknowledge(node, 1, 1, 40, 12);
            say(node, 1, 1, "store.trouble", "'message':'etcd has not answered for 3 s'");
        }
        millis += length;
        for (String node : nodes) {
            say(node, 1, 1, "store.well", "'message':'etcd has not answered for 5 s'");
            say(node, 1, 1, "work.published", "'cause':'start','world_size':3,'rank':0");
            say(node, 1, 1, "node.restored", "'stalled':false");
        }
        millis += 50;
        for (String node : nodes) {
            resume(node, 1, 1, 40);
            say(node, 1, 1, "worker.progressed", "'slot':0,'attempt':0,'step':13");
        }
    }

    private IncidentReport last() {
        List<IncidentReport> all = Incidents.of(events);
        return all.get(all.size() - 1);
    }

    private void fail(String node, long round, long incident, String more) {
        say(node, round, incident, "worker.failed", "'slot':0,'attempt':0,'pid':77," + more);
    }

    private void consume(int number, String command) {
        say(
                "a-1",
                1,
                1,
                "command.consumed",
                "'number':" + number + ",'accepted':true,'asked_by':'ann','command':'" + command + "'");
    }

    private void pause(String node, long round, long incident, long paused) {
        say(node, round, incident, "incident.paused", "'paused_round':" + paused);
    }

    private void acknowledge(String node, long round, long incident, long version, long step) {
        say(node, round, incident, "pause.acknowledged", "'slot':0,'version':" + version + ",'step':" + step);
    }

    private void resume(String node, long round, long incident, long version) {
        say(
                node,
                round,
                incident,
                "worker.resumed",
                "'slot':0,'attempt':0,'resumed_round':" + round + ",'version':" + version);
    }

    /** Its coordinator writes it, and all members hear of it at that moment. */
    private void seal(String by, long round, long incident, String cause, int budget, String... nodes) {
        String list = "'" + String.join("','", nodes) + "'";
        say(
                by,
                round,
                incident,
                "round.sealed",
                "'cause':'" + cause + "','world_size':" + nodes.length + ",'budget_used':" + budget + ",'nodes':["
                        + list + "]");
        int rank = 0;
        for (String node : nodes) {
            say(
                    node,
                    round,
                    incident,
                    "work.published",
                    "'cause':'" + cause + "','world_size':" + nodes.length + ",'rank':" + rank++);
        }
    }

    private static String withCauses(String fields) {
        return CAUSE.matcher(fields).replaceFirst(found -> {
            String causes = CAUSES.getOrDefault(found.group(1), List.of()).stream()
                    .map(IncidentsTest::json)
                    .collect(Collectors.joining(","));
            return found.group() + ",'causes':[" + causes + "]";
        });
    }

    private static String json(Cause cause) {
        try {
            return new ObjectMapper().writeValueAsString(CauseFields.of(cause)).replace('"', '\'');
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private void say(String node, long round, long incident, String kind, String more) {
        String line = "{'run':'r','incarnation':'i','node':'" + node + "','round':" + round + ",'incident':"
                + (incident == 0 ? "null" : "'" + incident + "'") + ",'nanos':" + millis * 1_000_000
                + ",'time':'2026-01-31T12:00:" + String.format("%02d.%03d", millis / 1000, millis % 1000)
                + "Z','kind':'" + kind + "'" + (more.isEmpty() ? "" : "," + withCauses(more)) + "}";
        events.add(LoggedEvent.parse(line.replace('\'', '"')).orElseThrow());
    }
}
