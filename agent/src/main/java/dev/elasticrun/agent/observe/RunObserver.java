/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.observe;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.incident.Goodput;
import dev.elasticrun.agent.incident.IncidentFact;
import dev.elasticrun.agent.incident.IncidentTimeline;
import dev.elasticrun.agent.incident.RoundSpan;
import dev.elasticrun.agent.incident.RunTally;
import dev.elasticrun.agent.incident.RunTotals;
import dev.elasticrun.agent.rules.AgentEvent;
import dev.elasticrun.agent.rules.AgentState;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.IncidentCause;
import dev.elasticrun.worker.contract.UpMessage;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what metrics, page and commands report of an agent's run: every method is short, and they exclude each other.
 * Safe for use by any thread.
 */
public final class RunObserver {
    /** What counts incidents; the metrics, if they are on. Called with the observer's lock held: must not block. */
    public interface Counters {
        default void incident(IncidentCause cause) {}

        default void recovered(IncidentFact.Recovered done) {}

        default void refused(long calls) {}
    }

    private final Counters counters;
    private final LongSupplier nanoTime;
    private final long epochMillis;
    private final long epochNanos;
    private final String nodeId;
    private final IncidentTimeline timeline;
    private final Goodput goodput = new Goodput();
    private final RunTally tally = new RunTally();
    private final Map<Integer, Long> starts = new HashMap<>();
    private long leaseDeadlineNanos;
    private @Nullable AgentState state;
    private RunEvent.@Nullable RunEnded ended;

    /**
     * @param epochMillis wall clock now, for display: later times are computed from the monotonic clock, so that they
     *     never go back
     */
    public RunObserver(String nodeId, long epochMillis, LongSupplier nanoTime, Counters counters) {
        this.counters = counters;
        this.nanoTime = nanoTime;
        this.epochMillis = epochMillis;
        this.epochNanos = nanoTime.getAsLong();
        this.nodeId = nodeId;
        this.timeline = new IncidentTimeline(nodeId, this::millis);
    }

    /**
     * An event of the event log.
     *
     * @param round the newest that the agent knew; null before the first
     * @return what follows from it
     */
    public synchronized List<IncidentFact> onEvent(RunEvent event, @Nullable Round round) {
        long now = nanoTime.getAsLong();
        boolean isEnd = timeline.endsRound(event);
        List<IncidentFact> facts = count(timeline.see(event, round, now));
        tally.see(event, Instant.ofEpochMilli(millis(now)));
        if (event instanceof RunEvent.WorkerStarted started) {
            starts.merge(started.worker().slot(), 1L, Long::sum);
        } else if (event instanceof RunEvent.ControlRefused refused) {
            counters.refused(refused.count());
        } else if (event instanceof RunEvent.IncidentPaused
                || event instanceof RunEvent.WorkersStopping
                || (event instanceof RunEvent.PeerLost && isEnd)) {
            goodput.stop(now);
        } else if (event instanceof RunEvent.PauseAcknowledged acknowledged && isFirst(acknowledged, round)) {
            goodput.commit(acknowledged.version(), now);
        } else if (event instanceof RunEvent.WorkerResumed resumed && isFirst(resumed, round)) {
            goodput.resume(resumed.version(), now);
            goodput.work(now);
        } else if (event instanceof RunEvent.RunEnded end) {
            ended = end;
            if (end.succeeded()) {
                goodput.succeed(now);
            }
        }
        return facts;
    }

    /** One worker counts for all of its node: the first in the round. */
    private boolean isFirst(RunEvent.OfWorker event, @Nullable Round round) {
        int first = Optional.ofNullable(round)
                .flatMap(newest -> newest.participant(nodeId))
                .map(place -> place.seatOf(place.firstRank()).slot())
                .orElse(0);
        return event.worker().slot() == first;
    }

    /** A newer round, or the newest with a change. */
    public synchronized void onRound(Round round) {
        count(timeline.see(round, nanoTime.getAsLong()));
    }

    private List<IncidentFact> count(List<IncidentFact> facts) {
        for (IncidentFact fact : facts) {
            tally.see(fact);
            if (fact instanceof IncidentFact.Counted counted) {
                counters.incident(counted.cause());
            } else if (fact instanceof IncidentFact.Recovered recovered) {
                counters.recovered(recovered);
            }
        }
        return facts;
    }

    /** Something was posted to the loop, and is not answered yet. */
    public synchronized void onPosted(AgentEvent event) {
        if (!(event instanceof AgentEvent.WorkerReported report) || report.slot() != 0) {
            return;
        }
        long now = nanoTime.getAsLong();
        if (report.message() instanceof UpMessage.Progress progress) {
            goodput.step(progress.step(), now);
            goodput.commit(progress.version(), now);
        } else if (report.message() instanceof UpMessage.Committed committed) {
            goodput.commit(committed.version(), now);
        }
    }

    /** The newest checkpoint that a worker of the node holds, as recorded in its heartbeat: messages come seldom. */
    public synchronized void seeCheckpoint(long version) {
        goodput.commit(version, nanoTime.getAsLong());
    }

    /** The agent's state, after each event. */
    public synchronized void onState(AgentState newest) {
        state = newest;
    }

    /** The node's lease may be trusted until then, on {@link System#nanoTime()}. */
    public synchronized void onLeaseDeadline(long deadlineNanos) {
        leaseDeadlineNanos = deadlineNanos;
    }

    public synchronized List<RoundSpan> rounds() {
        return timeline.rounds();
    }

    /** As {@link IncidentTimeline#isStalledFor}. */
    public synchronized boolean isStalledFor(long round) {
        return timeline.isStalledFor(round);
    }

    /** As {@link IncidentTimeline#stallNanos}. */
    public synchronized long stallNanos(long round) {
        return timeline.stallNanos(round);
    }

    private long millis(long nanos) {
        return instant(nanos).toEpochMilli();
    }

    /** @param nanos of the agent's monotonic clock */
    public Instant instant(long nanos) {
        return Instant.ofEpochMilli(epochMillis).plusNanos(nanos - epochNanos);
    }

    /** Now, in milliseconds since 1970. */
    public long millis() {
        return millis(nanoTime.getAsLong());
    }

    public synchronized Goodput.Account goodput() {
        return goodput.account(nanoTime.getAsLong());
    }

    public synchronized RunTotals totals() {
        return tally.totals();
    }

    /** How the run ended; null before. */
    public synchronized RunEvent.@Nullable RunEnded ended() {
        return ended;
    }

    /** 0 before the first. */
    public synchronized long leaseDeadlineNanos() {
        return leaseDeadlineNanos;
    }

    public synchronized long starts(int slot) {
        return starts.getOrDefault(slot, 0L);
    }

    /** Null before the first event. */
    public synchronized @Nullable AgentState state() {
        return state;
    }
}
