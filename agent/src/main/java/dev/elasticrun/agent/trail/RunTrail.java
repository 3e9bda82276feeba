/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.trail;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.Round;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The newest rounds and what became of each, from one agent's events. Pure; owned by one thread. */
public final class RunTrail {
    private static final int MAX_ROUNDS = 64;
    private final int slots;
    private final long epochMillis;
    private final long epochNanos;
    private final Deque<Entry> rounds = new ArrayDeque<>();
    private long toldRound;
    private long toldMillis;

    /**
     * @param slots workers of the node
     * @param epochMillis wall clock at some moment, for people
     * @param epochNanos monotonic clock at that moment: later times are told by it, so that they never go back
     */
    public RunTrail(int slots, long epochMillis, long epochNanos) {
        this.slots = slots;
        this.epochMillis = epochMillis;
        this.epochNanos = epochNanos;
    }

    private static final class Entry {
        private final Round round;
        private final boolean joined;
        private final long sealed;
        private final Set<Integer> back = new HashSet<>();
        private @Nullable Long published;
        private @Nullable Long resumed;
        private @Nullable Long broken;
        private @Nullable Long paused;
        /** Only the lease was in doubt. */
        private boolean doubted;

        Entry(Round round, boolean joined, long sealed) {
            this.round = round;
            this.joined = joined;
            this.sealed = sealed;
        }
    }

    /** A newer round, or the newest one with a change that is told, as of whom it waits for. */
    public void seeRound(Round round, long nanos) {
        Entry last = rounds.peekLast();
        boolean again =
                last != null && last.round.number() >= round.number() && last.round.suspended() == round.suspended();
        if (again) {
            return;
        }
        if (last != null && last.broken == null) {
            last.broken = millis(nanos);
        }
        boolean told = !round.suspended() && round.number() == toldRound;
        Entry entry = new Entry(round, last == null, told ? toldMillis : millis(nanos));
        entry.published = told ? (Long) toldMillis : null;
        add(entry);
    }

    public void see(Sighting seen) {
        RunEvent event = seen.event();
        long millis = millis(seen.nanos());
        if (event instanceof RunEvent.WorkPublished) {
            // Workers are told first; only then the agent has time to look at the round itself.
            toldRound = seen.round();
            toldMillis = millis;
        }
        Entry last = rounds.peekLast();
        if (last == null) {
            return;
        }
        if (event instanceof RunEvent.WorkPublished) {
            if (seen.round() == last.round.number() && !last.round.suspended()) {
                published(last, millis);
            }
        } else if (event instanceof RunEvent.WorkerResumed resumed) {
            if (resumed.resumedRound() == last.round.number()) {
                last.back.add(resumed.worker().slot());
                last.resumed = last.back.size() >= slots && last.resumed == null ? (Long) millis : last.resumed;
            }
        } else if (event instanceof RunEvent.IncidentPaused paused) {
            paused(paused.pausedRound(), millis);
        } else if (event instanceof RunEvent.NodeRestored) {
            if (last.doubted && last.paused == null) {
                last.broken = null;
                last.doubted = false;
            }
        } else if (seen.isSignAfter(last.round.number()) && last.broken == null && last.published != null) {
            last.broken = millis;
            last.doubted = event instanceof RunEvent.NodeFenced;
        }
    }

    /** The same round goes on after a pause of its own, as of a store that was away: that is shown as a span, too. */
    private void published(Entry last, long millis) {
        if (last.published == null) {
            last.published = millis;
        } else if (last.broken != null) {
            Entry again = new Entry(last.round, false, millis);
            again.published = millis;
            add(again);
        }
    }

    private void add(Entry entry) {
        rounds.addLast(entry);
        if (rounds.size() > MAX_ROUNDS) {
            rounds.removeFirst();
        }
    }

    private void paused(long number, long millis) {
        for (Iterator<Entry> newest = rounds.descendingIterator(); newest.hasNext(); ) {
            Entry entry = newest.next();
            if (entry.round.number() == number) {
                entry.paused = entry.paused == null ? (Long) millis : entry.paused;
                entry.broken = entry.broken == null ? (Long) millis : entry.broken;
                return;
            }
        }
    }

    /** Oldest first. */
    public List<RoundSpan> rounds() {
        return rounds.stream().map(RunTrail::span).toList();
    }

    public long millis(long nanos) {
        return epochMillis + TimeUnit.NANOSECONDS.toMillis(nanos - epochNanos);
    }

    private static RoundSpan span(Entry entry) {
        Round round = entry.round;
        return new RoundSpan(
                round.number(),
                round.cause(),
                round.suspended(),
                entry.joined,
                round.worldSize(),
                entry.sealed,
                entry.published,
                entry.resumed,
                entry.broken,
                entry.paused,
                round.participants().stream()
                        .map(member -> new RoundSpan.Member(
                                member.nodeId(), member.hostLabel(), member.firstRank(), member.slots()))
                        .toList());
    }
}
