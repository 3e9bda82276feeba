/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.trail;

import dev.elasticrun.rendezvous.Round;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The newest rounds and what became of each, from one agent's events. Pure; owned by one thread. */
public final class RunTrail {
    private static final int MAX_ROUNDS = 64;
    private static final Set<String> SIGNS =
            Set.of("peer.lost", "node.proved_dead", "incident.detected", "node.fenced");

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
        private final Set<Long> back = new HashSet<>();
        private @Nullable Long published;
        private @Nullable Long resumed;
        private @Nullable Long broken;
        private @Nullable Long paused;

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
        rounds.addLast(entry);
        if (rounds.size() > MAX_ROUNDS) {
            rounds.removeFirst();
        }
    }

    public void see(Sighting event) {
        long millis = millis(event.nanos());
        if (event.kind().equals("work.published")) {
            // Workers are told first; only then the agent has time to look at the round itself.
            toldRound = event.round();
            toldMillis = millis;
        }
        Entry last = rounds.peekLast();
        if (last == null) {
            return;
        }
        switch (event.kind()) {
            case "work.published" -> {
                if (event.round() == last.round.number() && !last.round.suspended() && last.published == null) {
                    last.published = millis;
                }
            }
            case "worker.resumed" -> {
                if (event.number("resumed_round").orElse(0) == last.round.number()) {
                    last.back.add(event.number("slot").orElse(0));
                    last.resumed = last.back.size() >= slots && last.resumed == null ? (Long) millis : last.resumed;
                }
            }
            case "incident.paused" -> paused(event.number("paused_round").orElse(0), millis);
            default -> {
                boolean later = event.number("next_round").orElse(Long.MAX_VALUE) > last.round.number();
                if (SIGNS.contains(event.kind()) && later && last.broken == null && last.published != null) {
                    last.broken = millis;
                }
            }
        }
    }

    private void paused(long number, long millis) {
        for (Entry entry : rounds) {
            if (entry.round.number() == number && entry.paused == null) {
                entry.paused = millis;
                entry.broken = entry.broken == null ? (Long) millis : entry.broken;
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
