/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.trail.Goodput;
import dev.elasticrun.agent.trail.IncidentCause;
import dev.elasticrun.agent.trail.RecoveryClock;
import dev.elasticrun.agent.trail.RoundSpan;
import dev.elasticrun.agent.trail.RunTrail;
import dev.elasticrun.agent.trail.Sighting;
import dev.elasticrun.rendezvous.Round;
import dev.elasticrun.worker.contract.UpMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what an agent's metrics and page tell of its run: every method is short, and they exclude each other. Safe for
 * use by any thread.
 */
final class RunObserver implements AgentObserver {
    /** What counts incidents; the metrics, if they are on. Called with the observer's lock held: must not block. */
    interface Counters {
        Counters NONE = new Counters() {};

        default void incident(IncidentCause cause) {}

        default void recovered(RecoveryClock.Recovery done) {}

        default void refused(long calls) {}
    }

    private final Counters counters;
    private final LongSupplier nanoTime;
    private final RunTrail trail;
    private final RecoveryClock recovery;
    private final Goodput goodput = new Goodput();
    private final Map<Integer, Long> starts = new HashMap<>();
    private long incident;
    private long pausedRound;
    /** In which this node was fenced, and may go on; 0 = in none. */
    private long doubtedRound;

    private long leaseDeadlineNanos;
    private @Nullable AgentState state;
    private RunEvent.@Nullable RunEnded ended;

    RunObserver(int slots, long epochMillis, LongSupplier nanoTime, Counters counters) {
        this.counters = counters;
        this.nanoTime = nanoTime;
        this.trail = new RunTrail(slots, epochMillis, nanoTime.getAsLong());
        this.recovery = new RecoveryClock(slots);
    }

    @Override
    public synchronized void onEvent(RunEvent event, @Nullable Round round) {
        long now = nanoTime.getAsLong();
        Sighting seen = new Sighting(event, round == null ? 0 : round.number(), now);
        trail.see(seen);
        recovery.see(seen).ifPresent(counters::recovered);
        if (event instanceof RunEvent.WorkerStarted started) {
            starts.merge(started.worker().slot(), 1L, Long::sum);
        } else if (event instanceof RunEvent.ControlRefused refused) {
            counters.refused(refused.count());
        } else if (event instanceof RunEvent.IncidentPaused paused) {
            goodput.stop(now);
            pausedRound = paused.pausedRound();
        } else if (event instanceof RunEvent.WorkersStopping) {
            goodput.stop(now);
        } else if (event instanceof RunEvent.NodeFenced fenced) {
            doubtedRound = fenced.workingRound();
        } else if (event instanceof RunEvent.NodeRestored restored) {
            if (restored.stalled()) {
                doubtedRound = 0;
            } else if (pausedRound != doubtedRound) {
                goesOn();
            }
        } else if (event instanceof RunEvent.PeerLost) {
            if (seen.isSignAfter(seen.round())) {
                goodput.stop(now);
            }
        } else if (event instanceof RunEvent.PauseAcknowledged acknowledged && isFirst(acknowledged)) {
            goodput.commit(acknowledged.version(), now);
        } else if (event instanceof RunEvent.WorkerResumed resumed && isFirst(resumed)) {
            goodput.resume(resumed.version(), now);
            goodput.work(now);
            if (resumed.resumedRound() == doubtedRound) {
                goesOn();
            }
        } else if (event instanceof RunEvent.RunEnded end) {
            ended = end;
            if (end.succeeded()) {
                goodput.succeed(now);
            }
        }
    }

    /** The round, after the store was away: no other round is made, and none is counted. */
    private void goesOn() {
        if (doubtedRound > 0) {
            counters.incident(IncidentCause.STORE_UNREACHABLE);
            doubtedRound = 0;
        }
    }

    /** One worker counts for all of its node. */
    private static boolean isFirst(RunEvent.OfWorker event) {
        return event.worker().slot() == 0;
    }

    @Override
    public synchronized void onRound(Round round) {
        long now = nanoTime.getAsLong();
        boolean first = incident == 0;
        trail.seeRound(round, now);
        recovery.seeRound(round.number(), round.suspended(), now);
        if (!first && round.incident() > incident) {
            counters.incident(IncidentCause.of(round.causes()));
            doubtedRound = 0;
        }
        incident = Math.max(incident, round.incident());
    }

    @Override
    public synchronized void onPosted(AgentEvent event) {
        if (!(event instanceof AgentEvent.WorkerSaid said) || said.slot() != 0) {
            return;
        }
        long now = nanoTime.getAsLong();
        if (said.message() instanceof UpMessage.Progress progress) {
            goodput.step(progress.step(), now);
            goodput.commit(progress.version(), now);
        } else if (said.message() instanceof UpMessage.Committed committed) {
            goodput.commit(committed.version(), now);
        }
    }

    /** The newest checkpoint that a worker of the node holds, as its heartbeat has it: messages come seldom. */
    synchronized void seeCheckpoint(long version) {
        goodput.commit(version, nanoTime.getAsLong());
    }

    @Override
    public synchronized void onState(AgentState newest) {
        state = newest;
    }

    @Override
    public synchronized void onLeaseDeadline(long deadlineNanos) {
        leaseDeadlineNanos = deadlineNanos;
    }

    synchronized List<RoundSpan> rounds() {
        return trail.rounds();
    }

    synchronized long millis() {
        return trail.millis(nanoTime.getAsLong());
    }

    synchronized Goodput.Account goodput() {
        return goodput.account(nanoTime.getAsLong());
    }

    /** How the run ended; null before. */
    synchronized RunEvent.@Nullable RunEnded ended() {
        return ended;
    }

    /** 0 before the first. */
    synchronized long leaseDeadlineNanos() {
        return leaseDeadlineNanos;
    }

    synchronized long starts(int slot) {
        return starts.getOrDefault(slot, 0L);
    }

    /** Null before the first event. */
    synchronized @Nullable AgentState state() {
        return state;
    }
}
