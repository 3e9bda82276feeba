/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.coordinator;

import dev.elasticrun.rendezvous.plan.Decision;
import dev.elasticrun.rendezvous.plan.Plan;
import java.time.Duration;
import java.util.Optional;

/** Decides when to report what the run waits for: when it changes, and again as long as it lasts. Owned by the loop. */
final class WaitingNews {
    static final Duration REMINDER = Duration.ofSeconds(10);

    private String lastReason = "";
    private long reportedNanos;

    /**
     * The text to report of a plan now; empty = nothing new.
     *
     * @param complaint what is wrong with newcomers; empty = nothing
     * @param dialling whether newcomers are being dialled: what is waited for changes in a moment
     */
    Optional<String> of(Plan plan, String complaint, boolean dialling, long nowNanos) {
        boolean waiting = plan.decision() instanceof Decision.Wait;
        boolean remind = waiting && nowNanos - reportedNanos >= REMINDER.toNanos();
        String reason = plan.reason() + complaint;
        boolean settled = !waiting || !dialling;
        if (!remind && (!settled || reason.equals(lastReason))) {
            return Optional.empty();
        }
        lastReason = reason;
        reportedNanos = nowNanos;
        if (plan.decision() instanceof Decision.Idle && complaint.isEmpty()) {
            // The round itself shows that the wait is over.
            return Optional.empty();
        }
        return Optional.of(plan.text() + complaint);
    }
}
