/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import org.jspecify.annotations.Nullable;

/**
 * A part of a program that takes another time than its steps, as loading or evaluating: it has a time-out of its own.
 * Belongs to the thread that opened it.
 *
 * <pre>{@code
 * try (Section evaluation = ElasticRuntime.section("evaluate")) {
 *     evaluate();
 * }
 * }</pre>
 */
public final class Section implements AutoCloseable {
    private final Progress progress;
    private final String name;
    private final long limitNanos;
    private final long peerRound;
    private final @Nullable Section outer;

    Section(Progress progress, String name, long limitNanos, long peerRound, @Nullable Section outer) {
        this.progress = progress;
        this.name = name;
        this.limitNanos = limitNanos;
        this.peerRound = peerRound;
        this.outer = outer;
    }

    String name() {
        return name;
    }

    long limitNanos() {
        return limitNanos;
    }

    /** Round whose workers the program may wait for in it; 0 = none. */
    long peerRound() {
        return peerRound;
    }

    @Nullable
    Section outer() {
        return outer;
    }

    /** Goes back to the section around this one, which has its full time again. Closed twice is closed once. */
    @Override
    public void close() {
        progress.close(this);
    }
}
