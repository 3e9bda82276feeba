/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.elasticrun.agent.incident.IncidentReport.Outcome;
import dev.elasticrun.rendezvous.golden.GoldenFile;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The store is away: pauses within rounds, and incidents beside them. */
final class IncidentPausesTest extends ThreeNodesLog {
    @Tag("golden")
    @Test
    void text_ofEachPause_isAsInTheGoldenFile() throws IOException {
        GoldenFile golden = GoldenFile.of(IncidentPausesTest.class, "pauses.txt");
        add(golden, "the store is away for a while", log -> log.outage(4000));
        add(golden, "the store is away", IncidentPausesTest::staysAway);
        add(golden, "a lease is in doubt under hard", IncidentPausesTest::doubtsALease);
        golden.assertSame();
    }

    private static void add(GoldenFile golden, String title, Consumer<IncidentPausesTest> scenario) {
        IncidentPausesTest log = new IncidentPausesTest();
        log.startsWithThreeNodes();
        scenario.accept(log);
        golden.add(title, IncidentText.of(log.last()));
    }

    @Test
    void store_awayWhileTheRoundGoesOn_isAPauseWithItsCauseAndItsCost() {
        outage(4000);

        List<IncidentReport> all = Incidents.of(events);
        assertThat(all).extracting(IncidentReport::outcome).containsExactly(Outcome.STARTED, Outcome.PAUSED);
        assertThat(last().culprits()).extracting(Culprit::what).containsOnly(Culprit.What.STORE_UNREACHABLE);
        assertThat(last().culprits()).extracting(Culprit::node).containsExactly("a-1", "b-2", "c-3");
        assertThat(last().beginning().fromRound()).isEqualTo(1);
        assertThat(last().answer().round()).isEqualTo(1);
        assertThat(last().answer().survivors()).isEqualTo(3);
        assertThat(last().cost().stalled()).isEqualTo(4050);
        assertThat(last().over()).isEqualTo(last().time().plusMillis(4050));
        assertThat(last().cost().phases().paused()).isEqualTo(4000);
        assertThat(last().cost().phases().resumed()).isEqualTo(50);
        assertThat(last().cost().progress().versionAfter()).isEqualTo(40);
        assertThat(last().cost().progress().stepsLost()).isZero();
    }

    @Test
    void store_awayBefore_isNoPartOfTheNextIncident_norOfTheOneBefore() {
        outage(4000);
        outage(3000);
        Cost start = Incidents.of(events).get(0).cost();
        millis += 5000;
        fail("b-2", 1, 1, "'rank':1,'exit_code':137,'how':'signal','message':'killed by SIGKILL (9)'");
        note("a-1", 2, 2, "round.decided", "'next_round':2,'cause':'worker failed on b-2'");
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
        assertThat(last().answer().survivors()).isEqualTo(2);
        assertThat(last().time().toEpochMilli() % 60_000).isEqualTo(failed);
        assertThat(start.total()).isLessThan(1000);
    }

    @Test
    void store_stillAway_isAPauseThatGoesOn() {
        staysAway();

        assertThat(last().isOpen()).isTrue();
        assertThat(last().culprits())
                .extracting(Culprit::what, Culprit::node)
                .containsExactly(tuple(Culprit.What.STORE_UNREACHABLE, "a-1"));
    }

    private void staysAway() {
        pause("a-1", 1, 1, 1);
        note("a-1", 1, 1, "node.fenced", "'working_round':1");
    }

    @Test
    void store_awayUntilANewRound_isThatRoundsIncident() {
        pause("a-1", 1, 1, 1);
        note("a-1", 1, 1, "node.fenced", "'working_round':1");
        millis += 4000;
        note("b-2", 2, 2, "round.decided", "'next_round':2,'cause':'fenced a-1'");
        seal("b-2", 2, 2, "fenced a-1", 0, "a-1", "b-2", "c-3");
        resume("a-1", 2, 2, 0);

        assertThat(Incidents.of(events))
                .extracting(IncidentReport::outcome)
                .containsExactly(Outcome.STARTED, Outcome.WENT_ON);
        assertThat(last().cost().stalled()).isEqualTo(4000);
    }

    @Test
    void leases_inDoubtUnderHard_areAPauseOfThoseThatKnowOfLeases() {
        doubtsALease();

        assertThat(last().outcome()).isEqualTo(Outcome.PAUSED);
        assertThat(last().answer().survivors()).isNegative();
        assertThat(last().answer().round()).isOne();
        assertThat(last().cost().total()).isEqualTo(1500);
    }

    private void doubtsALease() {
        note("a-1", 1, 1, "node.fenced", "'working_round':1");
        millis += 1500;
        note("a-1", 1, 1, "node.restored", "'stalled':false");
    }
}
