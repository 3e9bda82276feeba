/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.FailureHistory;
import dev.elasticrun.rendezvous.record.FailureHistory.Counts;
import dev.elasticrun.rendezvous.record.FailureHistory.Trouble;
import dev.elasticrun.rendezvous.record.NodeComparison;
import dev.elasticrun.rendezvous.record.NodeSpec;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunVersion;
import dev.elasticrun.rendezvous.terms.UsedRestarts;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is noted of nodes, and how often it is wrong to conclude by that that one is at fault. */
@Tag("once")
final class TroubleNotesTest {
    private static final int RUNS = 200;
    private static final int FAULTS = 1000;
    private static final Counts FAILURE = new Counts(0, 1);
    private static final Counts STRIKE = new Counts(1, 0);

    private final TroubleNotes notes = new TroubleNotes(FailureHistory.NONE);

    private void note(String nodeId, Counts more) {
        note(notes, nodeId, more);
    }

    private static void note(TroubleNotes notes, String nodeId, Counts more) {
        notes.note(nodeId, "host", 0, more, "", "");
    }

    private Trouble trouble(String nodeId) {
        return notes.of(nodeId).orElseThrow();
    }

    @Test
    void note_countsForTheOthersFromWhenTheirOwnCountBegan() {
        note("a", FAILURE);
        note("a", FAILURE);
        note("b", FAILURE);
        note("a", STRIKE);

        assertThat(trouble("a").own()).isEqualTo(new Counts(1, 2));
        assertThat(trouble("a").others()).isEqualTo(new Counts(0, 1));
        assertThat(trouble("b").own()).isEqualTo(new Counts(0, 1));
        assertThat(trouble("b").others()).isEqualTo(new Counts(1, 2));
    }

    @Test
    void forget_leavesToTheOthersWhatTheyAreComparedWith() {
        note("a", FAILURE);
        note("b", FAILURE);

        notes.forget("b");

        assertThat(notes.of("b")).isEmpty();
        assertThat(trouble("a").others()).isEqualTo(FAILURE);
    }

    @Test
    void joins_afterItsCoolDown_startsItsFailuresOver() {
        note("a", FAILURE);
        note("a", STRIKE);
        note("b", FAILURE);
        note("b", STRIKE);
        notes.forget("b");

        notes.joins(trouble("a"), "a2", "host", true);

        assertThat(notes.of("a")).isEmpty();
        assertThat(trouble("a2").own()).isEqualTo(STRIKE);
        assertThat(trouble("a2").others()).isEqualTo(STRIKE);
    }

    /**
     * A storm that hits all nodes at the same rate, a fault each 2 s: of what share of the faults is the node that was hit
     * taken to be at fault? A node whose agent has worked for a minute is forgotten.
     */
    @ParameterizedTest
    @CsvSource({"2,10,20", "3,10,5", "4,10,3", "16,10,1", "2,50,10", "3,50,5", "4,50,1"})
    void isFailing_faultsAtRandom_isRare(int nodes, int percentOfAgents, int perThousand) {
        int wrong = 0;
        for (int seed = 0; seed < RUNS; seed++) {
            wrong += storm(new SplittableRandom(seed), nodes, percentOfAgents);
        }
        System.out.printf("%d nodes, %d %% agents: %d of %d faults%n", nodes, percentOfAgents, wrong, RUNS * FAULTS);
        assertThat(wrong).isLessThanOrEqualTo(RUNS * FAULTS * perThousand / 1000);
    }

    private static int storm(SplittableRandom random, int nodes, int percentOfAgents) {
        TroubleNotes storm = new TroubleNotes(FailureHistory.NONE);
        long[] workingSince = new long[nodes];
        int wrong = 0;
        for (int fault = 0; fault < FAULTS; fault++) {
            long nowSeconds = 2L * fault;
            for (int node = 0; node < nodes; node++) {
                if (nowSeconds - workingSince[node] >= AdmissionDelay.FORGET.toSeconds()) {
                    storm.forget("n" + node);
                }
            }
            int node = random.nextInt(nodes);
            if (random.nextInt(100) < percentOfAgents) {
                note(storm, "n" + node, STRIKE);
                workingSince[node] = nowSeconds;
            } else {
                note(storm, "n" + node, FAILURE);
            }
            Round round = round(nodes, storm);
            Trouble trouble = storm.of("n" + node).orElseThrow();
            if (NodeComparison.isFailing(round, trouble) || NodeComparison.strikes(round, trouble) > 2) {
                wrong++;
            }
        }
        return wrong;
    }

    private static Round round(int nodes, TroubleNotes notes) {
        Round none = Round.NONE;
        List<Participant> participants = IntStream.range(0, nodes)
                .mapToObj(
                        node -> new Participant(new NodeSpec("n" + node, "host", "", 1, "", 1), 1, 1, node, List.of()))
                .toList();
        return new Round(
                none.number(),
                none.suspended(),
                new Round.Ranks(1, participants, List.of(), none.ranks().master(), List.of()),
                none.reason(),
                none.orders(),
                new Round.Ledger(
                        UsedRestarts.NONE,
                        0,
                        RunVersion.NONE,
                        new FailureHistory(notes.all(), List.of(), List.of(), 0),
                        List.of()),
                none.awaited());
    }
}
