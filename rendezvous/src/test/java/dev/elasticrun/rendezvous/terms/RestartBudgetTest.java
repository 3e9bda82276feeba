/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.terms;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RestartBudgetTest {
    private static final RestartBudget WINDOW = new RestartBudget(2, Duration.ofSeconds(60), Duration.ZERO);
    private static final RestartBudget REFUND = new RestartBudget(2, Duration.ZERO, Duration.ofSeconds(10));

    @Test
    void charged_withoutWindow_countsForAsLongAsTheRun() {
        RestartBudget budget = RestartBudget.of(2);

        UsedRestarts used = budget.later(budget.charged(UsedRestarts.NONE, 1), 1_000_000_000, true);

        assertThat(used).isEqualTo(new UsedRestarts(1, 1, 0, List.of(), 0));
        assertThat(budget.left(used)).isOne();
        assertThat(budget.untilReturnMillis(used)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void later_withinTheWindow_stillCounts_andAtItsEndDoesNot() {
        UsedRestarts one = WINDOW.charged(UsedRestarts.NONE, 1);

        assertThat(WINDOW.left(WINDOW.later(one, 59_999, true))).isOne();
        assertThat(WINDOW.left(WINDOW.later(one, 60_000, true))).isEqualTo(2);
    }

    @Test
    void later_severalUses_endOneByOne() {
        UsedRestarts one = WINDOW.charged(UsedRestarts.NONE, 1);
        UsedRestarts two = WINDOW.charged(WINDOW.later(one, 20_000, true), 1);

        assertThat(two).isEqualTo(new UsedRestarts(2, 2, 0, List.of(20_000L, 0L), 0));
        assertThat(WINDOW.left(two)).isZero();
        assertThat(WINDOW.untilReturnMillis(two)).isEqualTo(40_000);
        assertThat(WINDOW.later(two, 40_000, true)).isEqualTo(new UsedRestarts(2, 1, 0, List.of(40_000L), 0));
    }

    @Test
    void later_inTwoSteps_isTheSameAsInOne() {
        UsedRestarts used = WINDOW.charged(WINDOW.later(WINDOW.charged(UsedRestarts.NONE, 1), 25_000, true), 1);

        assertThat(WINDOW.later(WINDOW.later(used, 10_000, true), 30_000, true))
                .isEqualTo(WINDOW.later(used, 40_000, true));
    }

    @Test
    void later_withProgress_givesOneBackForEachTime() {
        UsedRestarts two = REFUND.charged(UsedRestarts.NONE, 2);

        UsedRestarts later = REFUND.later(two, 14_000, true);

        assertThat(later).isEqualTo(new UsedRestarts(2, 1, 1, List.of(), 4_000));
        assertThat(REFUND.untilRefundMillis(later)).isEqualTo(6_000);
        assertThat(REFUND.later(later, 6_000, true)).isEqualTo(new UsedRestarts(2, 0, 2, List.of(), 0));
    }

    @Test
    void later_withoutProgress_givesNothingBack() {
        UsedRestarts two = REFUND.charged(UsedRestarts.NONE, 2);

        assertThat(REFUND.later(two, 1_000_000, false)).isEqualTo(two);
    }

    @Test
    void later_nothingUsed_savesNoProgress() {
        UsedRestarts free = REFUND.later(UsedRestarts.NONE, 1_000_000, true);

        assertThat(REFUND.charged(free, 1)).isEqualTo(new UsedRestarts(1, 1, 0, List.of(), 0));
        assertThat(REFUND.untilRefundMillis(free)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void charged_onTheWayToARefund_beginsAnew() {
        UsedRestarts onTheWay = REFUND.later(REFUND.charged(UsedRestarts.NONE, 1), 9_000, true);

        assertThat(REFUND.charged(onTheWay, 1).progressMillis()).isZero();
    }

    @Test
    void later_windowAndRefund_giveBackTheOldest() {
        RestartBudget both = new RestartBudget(3, Duration.ofSeconds(60), Duration.ofSeconds(10));
        UsedRestarts two = both.charged(both.later(both.charged(UsedRestarts.NONE, 1), 5_000, true), 1);

        assertThat(both.later(two, 10_000, true)).isEqualTo(new UsedRestarts(2, 1, 1, List.of(10_000L), 0));
    }
}
