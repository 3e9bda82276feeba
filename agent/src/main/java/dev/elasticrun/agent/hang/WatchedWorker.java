/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.hang;

import dev.elasticrun.agent.directory.SmallFile;
import dev.elasticrun.worker.contract.Heartbeat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.function.LongPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A worker of the watch. Belongs to the thread that looks, but for {@link #warmUp}, which its owner guards. */
final class WatchedWorker {
    private static final Logger LOG = LoggerFactory.getLogger(WatchedWorker.class);

    private final HangWatch.Target target;
    private final HangWatch.Listener listener;
    private final HangLimits limits;
    private final LongPredicate eventLoops;
    private final HangState hangs;
    private final StopState stops;
    private final StragglerState stragglers;
    private boolean isReported;
    private boolean isDamaged;

    WatchedWorker(HangWatch.Target target, HangWatch.Listener listener, HangLimits limits, LongPredicate eventLoops) {
        this.target = target;
        this.listener = listener;
        this.limits = limits;
        this.eventLoops = eventLoops;
        this.hangs = new HangState(limits.floor().toNanos(), limits.silence().toNanos());
        this.stops = new StopState(limits.floor().toNanos());
        this.stragglers = new StragglerState(limits.grace().toNanos());
    }

    HangWatch.Target target() {
        return target;
    }

    HangWatch.Listener listener() {
        return listener;
    }

    boolean isReported() {
        return isReported;
    }

    void reported() {
        isReported = true;
    }

    /** The worker has a new round, or pauses. */
    void warmUp(long nowNanos) {
        hangs.warmUp(nowNanos);
    }

    /** Excludes a time in which the watch did not run. */
    void forgive(long nanos) {
        hangs.forgive(nanos);
        stops.forgive(nanos);
        stragglers.forgive(nanos);
    }

    Optional<HangState.Hang> hang(Heartbeat.View now, boolean isStopped, long nowNanos) {
        if (!limits.findsHangs()) {
            return Optional.empty();
        }
        Optional<HangState.Hang> stopped = stops.look(now, isStopped, nowNanos);
        Optional<HangState.Hang> still = hangs.look(now, nowNanos);
        return stopped.or(() -> still);
    }

    /** Looks at the threads of the process if it matters. */
    Optional<StragglerState.Straggler> straggler(Heartbeat.View now, RoundNow round, long nowNanos) {
        return limits.findsStragglers()
                ? stragglers.look(now, round, () -> eventLoops.test(target.pid()), nowNanos)
                : Optional.empty();
    }

    /** Reads the worker's heartbeat; empty as long as it wrote none, or when the file cannot be decoded. */
    Optional<Heartbeat.View> read() {
        if (!Files.exists(target.heartbeat())) {
            return Optional.empty();
        }
        try {
            return Optional.of(Heartbeat.View.decode(SmallFile.read(target.heartbeat(), Heartbeat.SIZE)));
        } catch (NoSuchFileException notYet) {
            return Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            if (!isDamaged) {
                isDamaged = true;
                LOG.warn("{} cannot be read, hangs will not be noticed: {}", target.heartbeat(), e.toString());
            }
            return Optional.empty();
        }
    }
}
