/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
final class ReadinessTest {
    private static final List<String> NAMES = List.of("train", "eval");

    @Test
    void of_oneRound_hasTheWidestRows() {
        Readiness all = of(
                stated(4, 1, Rows.none(), Rows.none()),
                stated(4, 1, wide(7), wide(3)),
                stated(4, 1, wide(2), dense(7)));

        assertThat(all).isEqualTo(new Readiness(true, 4, 7));
    }

    /** Somebody received another round before it stated this, or states what was stated before it was there. */
    @Test
    void of_severalRounds_isNotOne() {
        assertThat(of(stated(4, 1, wide(7), wide(3)), stated(5, 1, wide(2), wide(3)))
                        .isOneRound())
                .isFalse();
    }

    @Test
    void of_dataThatDoesNotFit_namesTheRank() {
        assertRefused(
                "columns: 6 on rank 1 (expected: 5, as on rank 0)",
                stated(4, 1, dense(5), dense(5)),
                stated(4, 1, dense(6), dense(6)));
        assertRefused(
                "columns: 9 on rank 1 (expected: 5, as on rank 0)",
                stated(4, 1, dense(5), dense(5)),
                stated(4, 1, wide(9), wide(1)));
        assertRefused(
                "rank 1 was started with other parameters, numbers of rounds or data sets than rank 0"
                        + " (expected: the same on all ranks)",
                stated(4, 1, dense(5), dense(5)),
                stated(4, 2, dense(5), dense(5)));
        assertRefused(
                "data set 'eval': no rows on any of 2 ranks (expected: 1 or more)",
                stated(4, 1, dense(5), Rows.none()),
                stated(4, 1, dense(5), Rows.none()));
    }

    private static void assertRefused(String message, long[]... stated) {
        assertThatThrownBy(() -> of(stated))
                .isInstanceOf(UnusableInputException.class)
                .hasMessage(message);
    }

    private static long[] stated(long round, int maxDepth, Rows... rows) {
        TrainingPlan plan = XgboostTraining.builder(Map.of("max_depth", maxDepth), 3)
                .train((shard, shards) -> Rows.none())
                .evaluate("eval", (shard, shards) -> Rows.none())
                .plan();
        return Readiness.statement(round, plan, List.of(rows));
    }

    private static Readiness of(long[]... stated) {
        long[] all = new long[stated.length * stated[0].length];
        for (int rank = 0; rank < stated.length; rank++) {
            System.arraycopy(stated[rank], 0, all, rank * stated[0].length, stated[0].length);
        }
        return Readiness.of(all, stated[0].length, NAMES);
    }

    private static Rows dense(int columns) {
        return Rows.dense(new float[columns], columns, Float.NaN, new float[1]);
    }

    private static Rows wide(int columns) {
        return Rows.sparse(new long[] {0, 0}, new int[0], new float[0], columns, new float[1]);
    }
}
