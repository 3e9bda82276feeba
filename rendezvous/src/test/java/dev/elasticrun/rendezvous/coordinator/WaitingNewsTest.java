/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.plan.Decision;
import dev.elasticrun.rendezvous.plan.Gathering;
import dev.elasticrun.rendezvous.plan.Plan;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class WaitingNewsTest {
    private static final String COMPLAINT = "; c cannot be dialled";

    private final WaitingNews news = new WaitingNews();

    @Test
    void of_sameReason_isReportedOnceUntilTheReminder() {
        assertThat(of(waits("for b"), 0)).contains(waits("for b").text());
        assertThat(of(waits("for b"), 9)).isEmpty();
        assertThat(of(waits("for b"), 10)).contains(waits("for b").text());
        assertThat(of(waits("for b"), 11)).isEmpty();
    }

    @Test
    void of_anotherReason_isReportedAtOnce() {
        assertThat(of(waits("for b"), 1)).isPresent();

        assertThat(of(waits("for c"), 2)).contains(waits("for c").text());
    }

    @Test
    void of_noWait_isNotReported_andEndsTheWaitBefore() {
        assertThat(of(waits("for b"), 0)).isPresent();
        assertThat(of(Plan.idle("all work", 0), 1)).isEmpty();

        assertThat(of(waits("for b"), 2)).contains(waits("for b").text());
    }

    @Test
    void of_newcomersAreBeingDialled_isReportedWhenThatIsOver() {
        assertThat(news.of(waits("for b"), "", true, nanos(1))).isEmpty();

        assertThat(news.of(waits("for b"), COMPLAINT, false, nanos(2)))
                .contains(waits("for b").text() + COMPLAINT);
    }

    private Optional<String> of(Plan plan, long seconds) {
        return news.of(plan, "", false, nanos(seconds));
    }

    /** The first reminder is due once the clock has shown ten seconds. */
    private static long nanos(long seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }

    private static Plan waits(String reason) {
        return new Plan(new Decision.Wait(Long.MAX_VALUE), Gathering.nothing(0), reason, "; 9 s");
    }
}
