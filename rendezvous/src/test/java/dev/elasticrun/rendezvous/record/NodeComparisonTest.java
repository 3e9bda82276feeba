/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.terms.UsedRestarts;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a node is at fault, and how often that is wrong. */
final class NodeComparisonTest {
    private static final int RUNS = 500;
    private static final int FAILURES = 100;

    @ParameterizedTest
    @CsvSource({"3,0,0,true", "2,0,0,false", "3,1,0,false", "7,1,0,true", "30,28,27,false", "60,20,20,true"})
    void isFailing_onlyFarAboveTheOthers(int own, int one, int other, boolean isFailing) {
        Round round = round(own, one, other);

        assertThat(NodeComparison.isFailing(round, round.history().troubles().get(0)))
                .isEqualTo(isFailing);
    }

    @Test
    void isFailing_withoutOthers_isNot() {
        Round round = round(9);

        assertThat(NodeComparison.isFailing(round, round.history().troubles().get(0)))
                .isFalse();
    }

    @Test
    void strikes_othersHaveNone_areAllOfThem() {
        Round round = round(7, 0, 0);

        assertThat(NodeComparison.strikes(round, round.history().troubles().get(0)))
                .isEqualTo(7);
    }

    /** Failures that hit nodes at random: in how many of these is the node that they hit said to be at fault? */
    @ParameterizedTest
    @CsvSource({"2,15", "3,6", "4,4", "16,1"})
    void isFailing_failuresAtRandom_isRare(int nodes, int perThousand) {
        int wrong = 0;
        for (int seed = 0; seed < RUNS; seed++) {
            Random random = new Random(seed);
            int[] counts = new int[nodes];
            for (int failure = 0; failure < FAILURES; failure++) {
                int node = random.nextInt(nodes);
                counts[node]++;
                Round round = round(counts);
                if (NodeComparison.isFailing(round, round.history().troubles().get(node))) {
                    wrong++;
                }
            }
        }
        System.out.printf("%d nodes: %d of %d failures%n", nodes, wrong, RUNS * FAILURES);
        assertThat(wrong).isLessThanOrEqualTo(RUNS * FAILURES * perThousand / 1000);
    }

    /** Nodes with these counts of failures and strikes. */
    private static Round round(int... counts) {
        List<FailureHistory.Trouble> troubles = IntStream.range(0, counts.length)
                .mapToObj(i -> new FailureHistory.Trouble("n" + i, "h" + i, 0, counts[i], counts[i], "", ""))
                .toList();
        Round none = Round.NONE;
        return new Round(
                none.number(),
                none.suspended(),
                none.ranks(),
                none.reason(),
                none.orders(),
                new Round.Ledger(
                        UsedRestarts.NONE,
                        0,
                        RunVersion.NONE,
                        new FailureHistory(troubles, List.of(), List.of(), 0),
                        List.of()),
                none.awaited());
    }
}
