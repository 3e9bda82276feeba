/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.hang;

import dev.elasticrun.worker.contract.Heartbeat;
import java.util.Optional;

/**
 * Decides whether a worker hangs because its process is stopped by a signal. No load of the machine looks like that, so that
 * what was learned of its pace does not count, nor where it is in its program. Owned by the thread of the watch.
 */
final class StopState {
    private final long limitNanos;
    private long beats;
    private boolean isStopped;
    private long sinceNanos;

    /** @param limitNanos how long a process may be stopped */
    StopState(long limitNanos) {
        this.limitNanos = limitNanos;
    }

    /** Excludes a time in which the watch did not run. */
    void forgive(long nanos) {
        sinceNanos += nanos;
    }

    /** @param stoppedNow whether its process is stopped at this moment */
    Optional<HangState.Hang> look(Heartbeat.View now, boolean stoppedNow, long nowNanos) {
        if (!stoppedNow || !isStopped || now.beats() != beats) {
            isStopped = stoppedNow;
            beats = now.beats();
            sinceNanos = nowNanos;
            return Optional.empty();
        }
        long stopped = nowNanos - sinceNanos;
        return stopped >= limitNanos ? Optional.of(new HangState.Hang(now, stopped, limitNanos, 0)) : Optional.empty();
    }
}
