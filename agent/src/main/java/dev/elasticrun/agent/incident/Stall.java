/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import java.util.OptionalLong;

/**
 * Records since when a node's workers do not work: paused, so that they resume by themselves, or stopped for any
 * reason.
 */
final class Stall {
    private boolean paused;
    private long pausedNanos;
    private boolean stopped;
    private long stoppedNanos;
    private long round;
    private long nanos;

    void pause(long nowNanos) {
        if (!paused) {
            paused = true;
            pausedNanos = nowNanos;
        }
    }

    void stop(long nowNanos) {
        if (!stopped) {
            stopped = true;
            stoppedNanos = nowNanos;
        }
    }

    void work(long number) {
        round = number;
        nanos = 0;
    }

    /** A worker resumed in the round; the last one counts. */
    void resume(long nowNanos) {
        if (paused || nanos > 0) {
            paused = false;
            nanos = Math.max(1, nowNanos - pausedNanos);
        }
    }

    /** The pause is not one that a round waits for. */
    void forget() {
        paused = false;
    }

    /** All work again. */
    OptionalLong stoppedFor(long nowNanos) {
        OptionalLong length = stopped ? OptionalLong.of(nowNanos - stoppedNanos) : OptionalLong.empty();
        stopped = false;
        return length;
    }

    boolean isFor(long ofRound) {
        return ofRound == round && paused;
    }

    long nanos(long ofRound) {
        return ofRound == round ? nanos : 0;
    }
}
