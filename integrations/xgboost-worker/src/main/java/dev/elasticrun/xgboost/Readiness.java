/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import dev.elasticrun.worker.Collective;
import java.util.Arrays;
import java.util.List;

/**
 * What ranks exchange when each has its rows, right before they form their group: whether they are in the same round,
 * and whether their data can be trained on together.
 *
 * @param isOneRound whether all ranks were in the same round of the run when they sent their statements
 * @param round that one
 * @param columns of all matrices
 */
record Readiness(boolean isOneRound, long round, int columns) {
    private static final int ROUND = 0;
    private static final int PLAN = 1;
    private static final int EXACT = 2;
    private static final int AT_LEAST = 3;
    private static final int ROWS = 4;

    private static final long ANY = -1;

    /** All ranks at the same place. Throws on all ranks, with the same message. */
    static Readiness agree(Collective collective, TrainingPlan plan, List<Rows> rows) {
        long[] mine = statement(collective.round(), plan, rows);
        long[] all = new long[mine.length * collective.worldSize()];
        collective.allGather(mine, all);
        return of(all, mine.length, plan.data().names());
    }

    /** @throws UnusableInputException if rows of this rank do not fit each other */
    static long[] statement(long round, TrainingPlan plan, List<Rows> rows) {
        long[] stated = new long[ROWS + rows.size()];
        stated[ROUND] = round;
        stated[PLAN] = plan.identity();
        stated[EXACT] = ANY;
        for (int set = 0; set < rows.size(); set++) {
            Rows each = rows.get(set);
            stated[ROWS + set] = each.count();
            stated[AT_LEAST] = Math.max(stated[AT_LEAST], each.columns());
            if (!each.isWide() && stated[EXACT] != ANY && stated[EXACT] != each.columns()) {
                throw new UnusableInputException("columns: " + each.columns() + " in '"
                        + plan.data().names().get(set) + "' (expected: " + stated[EXACT] + ", as in '"
                        + plan.data().names().get(0) + "')");
            }
            if (!each.isWide()) {
                stated[EXACT] = each.columns();
            }
        }
        return stated;
    }

    /** @throws UnusableInputException if the data of the ranks cannot be trained on together */
    static Readiness of(long[] all, int length, List<String> names) {
        int ranks = all.length / length;
        long[] first = Arrays.copyOf(all, length);
        boolean isOneRound = true;
        long exact = ANY;
        int exactRank = 0;
        long widest = 0;
        int widestRank = 0;
        long[] rows = new long[names.size()];
        for (int rank = 0; rank < ranks; rank++) {
            long[] stated = Arrays.copyOfRange(all, rank * length, (rank + 1) * length);
            isOneRound &= stated[ROUND] == first[ROUND];
            if (stated[PLAN] != first[PLAN]) {
                throw new UnusableInputException(
                        "rank " + rank + " was started with other parameters, numbers of rounds"
                                + " or data sets than rank 0 (expected: the same on all ranks)");
            }
            if (exact != ANY && stated[EXACT] != ANY && stated[EXACT] != exact) {
                throw columns(stated[EXACT], rank, exact, exactRank);
            }
            if (exact == ANY && stated[EXACT] != ANY) {
                exact = stated[EXACT];
                exactRank = rank;
            }
            if (stated[AT_LEAST] > widest) {
                widest = stated[AT_LEAST];
                widestRank = rank;
            }
            for (int set = 0; set < rows.length; set++) {
                rows[set] += stated[ROWS + set];
            }
        }
        if (exact != ANY && widest > exact) {
            throw columns(widest, widestRank, exact, exactRank);
        }
        for (int set = 0; set < rows.length; set++) {
            if (rows[set] == 0) {
                throw new UnusableInputException("data set '" + names.get(set) + "': no rows on any of " + ranks
                        + " ranks (expected: 1 or more)");
            }
        }
        return new Readiness(isOneRound, first[ROUND], Math.toIntExact(widest));
    }

    private static UnusableInputException columns(long columns, int rank, long expected, int as) {
        return new UnusableInputException(
                "columns: " + columns + " on rank " + rank + " (expected: " + expected + ", as on rank " + as + ")");
    }
}
