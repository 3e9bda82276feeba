/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.hang;

import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.worker.contract.Heartbeat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records one worker's progress, and decides whether it hangs. A worker that waits for peers, or for its agent, does
 * not hang: the one that it waits for does. Owned by the thread of the watch.
 */
final class HangState {
    /** A JVM that lives looks at its program once a second when there is no progress. */
    private static final long LOOK_NANOS = 1_000_000_000L;

    private static final long SILENCE_NANOS = 2 * LOOK_NANOS;

    private final HangLearner learner;
    private final long floorNanos;
    private final long silenceNanos;
    private Heartbeat.@Nullable View last;
    private long beatNanos;
    private long lookNanos;
    private long looksAtBeat;

    /** @param silenceNanos how long its whole JVM may stall in a section in which it waits for its peers */
    HangState(long floorNanos, long silenceNanos) {
        this.floorNanos = floorNanos;
        this.silenceNanos = silenceNanos;
        this.learner = new HangLearner(floorNanos);
    }

    /**
     * A worker that hangs.
     *
     * @param longestNanos longest time without progress that was seen before; 0 = none
     */
    record Hang(Heartbeat.View seen, long stillNanos, long limitNanos, long longestNanos) implements Finding {

        @Override
        public FailureKind kind() {
            return FailureKind.HANG;
        }

        @Override
        public String words() {
            String section = seen.section().name();
            long step = seen.progress().step();
            return "no progress for " + Finding.seconds(stillNanos)
                    + (!section.isEmpty() ? " in section " + section : step > 0 ? " after step " + step : "")
                    + " (limit " + Finding.seconds(limitNanos)
                    + (longestNanos > 0 ? ", longest before " + Finding.seconds(longestNanos) : "")
                    + ")";
        }
    }

    /** The worker has a new round, or pauses. A JVM that lives looks also then: its silence does not begin anew. */
    void warmUp(long nowNanos) {
        learner.warmUp();
        beatNanos = nowNanos;
    }

    /** Excludes a time in which the watch did not run. */
    void forgive(long nanos) {
        beatNanos += nanos;
        lookNanos += nanos;
    }

    Optional<Hang> look(Heartbeat.View now, long nowNanos) {
        Heartbeat.View before = last;
        last = now;
        if (before == null) {
            beat(now, nowNanos);
            return Optional.empty();
        }
        if (now.beats() == 0) {
            return lookAtBeginner(now, before, nowNanos);
        }
        if (now.looks() != before.looks()) {
            lookNanos = nowNanos;
        }
        if (now.beats() != before.beats()) {
            learner.observe(before.section().number(), nowNanos - beatNanos, Math.max(1, now.beats() - before.beats()));
            beat(now, nowNanos);
            return Optional.empty();
        }
        long still = nowNanos - beatNanos;
        long limit = now.section().limitNanos() > 0
                ? now.section().limitNanos()
                : learner.limitNanos(now.section().number()).orElse(Long.MAX_VALUE);
        if (isSilentAmongPeers(now, nowNanos)) {
            return Optional.of(hang(now, still, silenceNanos));
        }
        long silent = nowNanos - lookNanos;
        if (now.isJvm() && now.section().peerRound() == 0 && silent >= silentLimit(limit)) {
            return Optional.of(hang(now, silent, silentLimit(limit)));
        }
        return still < limit || !isItsOwn(now, nowNanos) ? Optional.empty() : Optional.of(hang(now, still, limit));
    }

    // It has made no progress yet, for which there is no limit; but its JVM may not run at all.
    private Optional<Hang> lookAtBeginner(Heartbeat.View now, Heartbeat.View before, long nowNanos) {
        beatNanos = nowNanos;
        looksAtBeat = now.looks();
        if (now.looks() == 0 || now.looks() != before.looks()) {
            lookNanos = nowNanos;
        }
        long silent = nowNanos - lookNanos;
        long limit = silentLimit(Long.MAX_VALUE);
        return now.isJvm() && silent >= limit ? Optional.of(hang(now, silent, limit)) : Optional.empty();
    }

    // Of a JVM that does not run at all. Before its own pace is known it gets one look more.
    private long silentLimit(long learnedNanos) {
        return learnedNanos == Long.MAX_VALUE ? leastSilence() + LOOK_NANOS : Math.max(leastSilence(), learnedNanos);
    }

    private long leastSilence() {
        return Math.max(SILENCE_NANOS, floorNanos);
    }

    private Hang hang(Heartbeat.View now, long still, long limit) {
        return new Hang(now, still, limit, learner.longestNanos(now.section().number()));
    }

    // Its peers may wait for it, or it for them, which the heartbeat does not show; but its JVM does not run at all.
    private boolean isSilentAmongPeers(Heartbeat.View now, long nowNanos) {
        return now.section().peerRound() > 0 && now.isJvm() && nowNanos - lookNanos >= silenceNanos;
    }

    private void beat(Heartbeat.View now, long nowNanos) {
        beatNanos = nowNanos;
        lookNanos = nowNanos;
        looksAtBeat = now.looks();
    }

    // Whether the worker itself stalls. That is unknown until a thread in its JVM has looked.
    private boolean isItsOwn(Heartbeat.View now, long nowNanos) {
        boolean silent = nowNanos - lookNanos >= leastSilence();
        boolean looked = now.looks() != looksAtBeat;
        return now.isJvm()
                ? silent || (looked && !now.section().waits())
                : !now.section().waits();
    }
}
