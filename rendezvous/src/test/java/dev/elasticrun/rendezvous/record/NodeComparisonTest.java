/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.terms.UsedRestarts;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a node is at fault. How often that is wrong, {@code TroubleNotesTest} shows. */
final class NodeComparisonTest {
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

    /** Nodes with these counts of failures and strikes. */
    private static Round round(int... counts) {
        int sum = Arrays.stream(counts).sum();
        List<FailureHistory.Trouble> troubles = IntStream.range(0, counts.length)
                .mapToObj(i ->
                        new FailureHistory.Trouble("n" + i, "h" + i, 0, both(counts[i]), both(sum - counts[i]), "", ""))
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

    private static FailureHistory.Counts both(int count) {
        return new FailureHistory.Counts(count, count);
    }
}
