/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Decides when a wait is logged: once it exceeds a moment, then repeatedly at growing intervals. Owned by the loop. */
final class WaitNews {
    /** A wait that is shorter is not worth a line. */
    static final Duration FIRST = Duration.ofSeconds(5);

    private static final Duration SECOND = Duration.ofSeconds(10);
    private static final Duration RAREST = Duration.ofSeconds(60);

    private WaitView.@Nullable Kind kind;
    private long sinceNanos;
    private long dueNanos;
    private long gapNanos;

    /** @return the line that is due now, if one is */
    Optional<String> of(Optional<WaitView.Wait> wait, long nowNanos) {
        WaitView.Kind newKind = wait.map(WaitView.Wait::kind).orElse(null);
        if (newKind != kind) {
            kind = newKind;
            sinceNanos = nowNanos;
            dueNanos = nowNanos + FIRST.toNanos();
            gapNanos = SECOND.toNanos();
            return Optional.empty();
        }
        if (wait.isEmpty() || nowNanos - dueNanos < 0) {
            return Optional.empty();
        }
        dueNanos = nowNanos + gapNanos;
        gapNanos = Math.min(2 * gapNanos, RAREST.toNanos());
        long seconds = TimeUnit.NANOSECONDS.toSeconds(nowNanos - sinceNanos);
        return Optional.of("has waited " + seconds + " s for " + wait.get().whom());
    }
}
