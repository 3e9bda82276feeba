/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.hang;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which of a node's stragglers is killed next: one at a time, as its end may free the others, and the next only a grace
 * time after the one before has gone. Pure but for its memory; guarded by its owner.
 *
 * @param <K> names a worker
 */
final class KillSequence<K> {
    private static final Comparator<StragglerState.Straggler> FIRST = Comparator.comparing(
                    (StragglerState.Straggler one) -> one.eventLoop() != StragglerState.EventLoop.GONE)
            .thenComparingLong(StragglerState.Straggler::dueNanos);

    private final long graceNanos;
    private @Nullable K killed;
    private boolean isWaiting;
    private long goneNanos;

    KillSequence(long graceNanos) {
        this.graceNanos = graceNanos;
    }

    /** The one whose turn it is; those that wait for ever come first, then those whose time was over first. */
    Optional<Map.Entry<K, StragglerState.Straggler>> next(
            List<Map.Entry<K, StragglerState.Straggler>> due, long nowNanos) {
        if (killed != null || (isWaiting && nowNanos - goneNanos < graceNanos)) {
            return Optional.empty();
        }
        return due.stream().min(Map.Entry.comparingByValue(FIRST));
    }

    void killed(K worker) {
        killed = worker;
    }

    /** That worker has ended, for whatever reason. */
    void gone(K worker, long nowNanos) {
        if (worker.equals(killed)) {
            killed = null;
            isWaiting = true;
            goneNanos = nowNanos;
        }
    }
}
