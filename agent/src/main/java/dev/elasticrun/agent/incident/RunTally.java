/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.incident.RunTotals.FailedAt;
import dev.elasticrun.rendezvous.record.FailureKind;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Adds up what one node sees of its run. Times are passed in. Owned by one thread. */
public final class RunTally {
    // Of a run with more failures, the newest are kept.
    private static final int MAX_FAILURES = 64;

    private final Deque<Failed> failures = new ArrayDeque<>();
    private final Map<RunEvent.Worker, RunEvent.WorkerExited> exits = new HashMap<>();
    private long firstStep;
    private long lastStep;
    private long totalSteps;
    private int incidents;
    private long stalledNanos;

    private record Failed(FailedAt at, FailureKind how, String message) {

        // What happens to a process from outside is no sign of an error of the program, and an exit code alone shows
        // little.
        boolean isLike(RunEvent.WorkerFailed other, long step, long version) {
            boolean isKnown = how == FailureKind.EXCEPTION || (how == FailureKind.EXIT_CODE && step + version > 0);
            return isKnown
                    && how == other.found().how()
                    && message.equals(other.found().message())
                    && at.step() == step
                    && at.version() == version;
        }
    }

    /** @param now on the clock of the host */
    public void see(RunEvent event, Instant now) {
        if (event instanceof RunEvent.WorkerProgressed progressed) {
            firstStep = firstStep == 0 ? progressed.step() : firstStep;
            totalSteps = Math.max(totalSteps, progressed.total());
            lastStep = Math.max(lastStep, progressed.step());
        } else if (event instanceof RunEvent.OfProgress progress) {
            lastStep = Math.max(lastStep, progress.step());
        }
        if (event instanceof RunEvent.WorkerStarted started) {
            exits.keySet().removeIf(worker -> worker.slot() == started.worker().slot());
        } else if (event instanceof RunEvent.WorkerExited exited) {
            exits.put(exited.worker(), exited);
        } else if (event instanceof RunEvent.WorkerFailed failed) {
            fail(failed, now);
        }
    }

    /** What follows from the events. */
    public void see(IncidentFact fact) {
        if (fact instanceof IncidentFact.Counted) {
            incidents++;
        } else if (fact instanceof IncidentFact.WorksAgain again) {
            stalledNanos += again.stoppedNanos();
        }
    }

    private void fail(RunEvent.WorkerFailed failed, Instant now) {
        RunEvent.WorkerExited exit = exits.get(failed.worker());
        long step = exit == null ? 0 : exit.step();
        long version = exit == null ? 0 : exit.version();
        @Nullable Failed last = null;
        for (Failed before : failures) {
            last = before.isLike(failed, step, version) ? before : last;
        }
        // Workers of one attempt that fail alike are one failure.
        int alike = last == null
                ? 0
                : last.at().attempt() == failed.worker().attempt()
                        ? last.at().alike()
                        : last.at().alike() + 1;
        FailedAt at = new FailedAt(
                failed.worker().slot(),
                failed.worker().attempt(),
                now.minusMillis(Math.max(0, failed.heldMs())),
                step,
                version,
                alike);
        failures.addLast(new Failed(at, failed.found().how(), failed.found().message()));
        if (failures.size() > MAX_FAILURES) {
            failures.removeFirst();
        }
    }

    public RunTotals totals() {
        return new RunTotals(
                firstStep,
                lastStep,
                totalSteps,
                incidents,
                stalledNanos,
                failures.stream().map(Failed::at).toList());
    }
}
