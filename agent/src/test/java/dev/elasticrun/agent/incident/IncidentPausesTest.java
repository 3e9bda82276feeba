/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.incident.IncidentReport.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The store is away: pauses within rounds, and incidents beside them. */
final class IncidentPausesTest extends ThreeNodesLog {
    @Test
    void store_awayWhileTheRoundGoesOn_isAPauseWithItsCauseAndItsCost() {
        outage(4000);

        List<IncidentReport> all = Incidents.of(events);
        assertThat(all).extracting(IncidentReport::outcome).containsExactly(Outcome.STARTED, Outcome.PAUSED);
        assertThat(last().cause()).isEqualTo("store not reachable");
        assertThat(last().beginning().fromRound()).isEqualTo(1);
        assertThat(last().answer().round()).isEqualTo(1);
        assertThat(last().answer().survivors()).isEqualTo(3);
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
        assertThat(last().answer().survivors()).isEqualTo(2);
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
}
