/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.trail;

import dev.elasticrun.agent.events.RunEvent;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Takes the time of incidents on one node, from the first sign of each. An incident is over when all workers of the node
 * have resumed, or when the next one begins. The start of the run is none. Pure; owned by one thread.
 */
public final class RecoveryClock {
    private final int slots;
    private final Set<Integer> resumed = new HashSet<>();
    private Map<RecoveryPhase, Long> reached = new EnumMap<>(RecoveryPhase.class);
    private boolean everWorked;
    private boolean running;
    /** Only the lease was in doubt. */
    private boolean doubted;

    private long beganNanos;
    private long workingRound;

    /** @param slots workers of the node */
    public RecoveryClock(int slots) {
        this.slots = slots;
    }

    /** When each phase was reached that was, from the first sign on; nanoseconds. */
    public record Recovery(Map<RecoveryPhase, Long> nanos) {
        public Recovery {
            nanos = Map.copyOf(nanos);
        }
    }

    /** @return an incident that is over by this */
    public Optional<Recovery> see(Sighting seen) {
        RunEvent event = seen.event();
        if (event instanceof RunEvent.WorkPublished) {
            return publish(seen);
        } else if (event instanceof RunEvent.WorkerResumed resumed) {
            return resume(resumed, seen.nanos());
        } else if (event instanceof RunEvent.IncidentPaused) {
            sign(seen.nanos());
            reach(RecoveryPhase.DETECTED, seen.nanos());
            reach(RecoveryPhase.PAUSED, seen.nanos());
        } else if (event instanceof RunEvent.NodeRestored) {
            running = running && !(doubted && reached.isEmpty());
        } else if (everWorked && seen.isSignAfter(workingRound)) {
            doubted = event instanceof RunEvent.NodeFenced && (!running || doubted);
            sign(seen.nanos());
            if (seen.isFailure() || event instanceof RunEvent.RoundDecided) {
                reach(RecoveryPhase.DETECTED, seen.nanos());
            }
        }
        return Optional.empty();
    }

    /** This agent has a newer round. */
    public void seeRound(long number, boolean suspended, long nanos) {
        if (everWorked && number > workingRound) {
            sign(nanos);
            reach(RecoveryPhase.DETECTED, nanos);
            if (!suspended) {
                reach(RecoveryPhase.SEALED, nanos);
            }
        }
    }

    private void sign(long nanos) {
        if (everWorked && !running) {
            running = true;
            beganNanos = nanos;
            reached = new EnumMap<>(RecoveryPhase.class);
            resumed.clear();
        }
    }

    private void reach(RecoveryPhase phase, long nanos) {
        if (running) {
            reached.putIfAbsent(phase, nanos - beganNanos);
        }
    }

    private Optional<Recovery> publish(Sighting event) {
        Optional<Recovery> before = Optional.empty();
        if (!everWorked) {
            everWorked = true;
        } else if (running && reached.containsKey(RecoveryPhase.PUBLISHED)) {
            // Workers that never tell that they resumed, or an answer that was overtaken by the next one.
            before = end();
            sign(event.nanos());
        }
        workingRound = event.round();
        resumed.clear();
        reach(RecoveryPhase.SEALED, event.nanos());
        reach(RecoveryPhase.PUBLISHED, event.nanos());
        return before;
    }

    private Optional<Recovery> resume(RunEvent.WorkerResumed event, long nanos) {
        if (!running || event.resumedRound() < workingRound) {
            return Optional.empty();
        }
        resumed.add(event.worker().slot());
        if (resumed.size() < slots || !reached.containsKey(RecoveryPhase.PUBLISHED)) {
            return Optional.empty();
        }
        reach(RecoveryPhase.RESUMED, nanos);
        return end();
    }

    private Optional<Recovery> end() {
        running = false;
        return Optional.of(new Recovery(reached));
    }
}
