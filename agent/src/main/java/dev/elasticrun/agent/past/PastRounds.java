/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.past;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.incident.RoundSpan;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The newest rounds of a run as all of its nodes had them: a round begins with the first sign of it, and workers work in
 * it when the last of them has resumed. Takes events in the order of their times, of which each is of its own host's
 * clock. Pure; owned by one thread.
 */
final class PastRounds {
    private static final int MAX_ROUNDS = 64;

    private final Deque<Span> spans = new ArrayDeque<>();
    private final Map<String, RunEvent.RunJoined> joined = new HashMap<>();

    /** What a node wrote about its workers in a round. */
    private record Published(int rank, int slots) {}

    private static final class Span {
        private final long number;
        private final boolean suspended;
        private final boolean first;
        private final long sealed;
        private final Map<String, Published> published = new LinkedHashMap<>();
        private String cause = "";
        private int worldSize;
        private List<String> nodes = List.of();
        private @Nullable Long worked;
        private @Nullable Long resumed;
        private @Nullable Long broken;
        private @Nullable Long paused;

        Span(long number, boolean suspended, boolean first, long sealed) {
            this.number = number;
            this.suspended = suspended;
            this.first = first;
            this.sealed = sealed;
        }
    }

    void see(LoggedEvent logged) {
        RunEvent event = logged.event();
        long at = millis(logged.time());
        if (event instanceof RunEvent.RunJoined join) {
            joined.put(logged.node(), join);
        } else if (event instanceof RunEvent.OfRound round) {
            seal(logged.round(), round, at);
        } else if (event instanceof RunEvent.WorkPublished work) {
            publish(logged, work, at);
        } else if (event instanceof RunEvent.WorkerResumed resumed) {
            resume(resumed.resumedRound(), at);
        } else if (event instanceof RunEvent.IncidentPaused paused) {
            pause(paused.pausedRound(), at);
        } else if (breaks(logged)) {
            interrupt(at);
        }
    }

    private static long millis(Instant time) {
        return time.toEpochMilli();
    }

    private void seal(long number, RunEvent.OfRound round, long at) {
        Span span = span(number, round instanceof RunEvent.RoundSuspended, at);
        if (span != null && span.suspended == round instanceof RunEvent.RoundSuspended) {
            span.cause = round.cause();
            span.worldSize = round.worldSize();
            span.nodes = List.copyOf(round.nodes());
        }
    }

    /** The newest span if it is of that round, or a new one; null when only newer ones are known. */
    private @Nullable Span span(long number, boolean suspended, long at) {
        Span last = spans.peekLast();
        if (last != null && last.number == number && last.suspended == suspended) {
            return last;
        }
        boolean isOlder = last != null && (last.number > number || (last.number == number && !suspended));
        Span known = isOlder ? newest(number) : null;
        if (known != null || (last != null && last.number > number)) {
            return known;
        }
        return add(new Span(number, suspended, last == null, at), at);
    }

    private Span add(Span span, long at) {
        Span last = spans.peekLast();
        if (last != null && last.broken == null) {
            last.broken = at;
        }
        spans.addLast(span);
        if (spans.size() > MAX_ROUNDS) {
            spans.removeFirst();
        }
        return span;
    }

    private void publish(LoggedEvent logged, RunEvent.WorkPublished work, long at) {
        Span span = span(logged.round(), false, at);
        if (span == null) {
            return;
        }
        if (span.broken != null && span.published.containsKey(logged.node())) {
            // The same round went on after a pause of its own.
            Span again = new Span(span.number, false, false, at);
            again.nodes = span.nodes;
            span = add(again, at);
        }
        span.cause = span.cause.isEmpty() ? work.cause() : span.cause;
        span.worldSize = work.worldSize();
        span.worked = span.worked == null ? (Long) at : span.worked;
        span.published.put(logged.node(), new Published(work.rank(), slots(logged.node(), work.slots())));
    }

    private int slots(String node, List<Integer> named) {
        RunEvent.RunJoined join = joined.get(node);
        return !named.isEmpty() ? named.size() : join == null ? 1 : join.slots();
    }

    private void resume(long number, long at) {
        Span span = newest(number);
        if (span != null && span.worked != null) {
            span.resumed = at;
        }
    }

    private void pause(long number, long at) {
        Span span = newest(number);
        if (span != null) {
            span.paused = span.paused == null ? (Long) at : span.paused;
            span.broken = span.broken == null ? (Long) at : span.broken;
        }
    }

    private boolean breaks(LoggedEvent logged) {
        Span last = spans.peekLast();
        if (last == null) {
            return false;
        }
        if (logged.event() instanceof RunEvent.RoundDecided decided) {
            return decided.nextRound() > last.number;
        } else if (logged.event() instanceof RunEvent.PeerLost lost) {
            return lost.lostRound() >= last.number && !lost.answered();
        }
        return logged.round() >= last.number
                && (logged.event() instanceof RunEvent.OfFailure || logged.event() instanceof RunEvent.NodeProvedDead);
    }

    private void interrupt(long at) {
        Span last = spans.peekLast();
        if (last != null && last.worked != null && last.broken == null) {
            last.broken = at;
        }
    }

    private @Nullable Span newest(long number) {
        for (Iterator<Span> newest = spans.descendingIterator(); newest.hasNext(); ) {
            Span span = newest.next();
            if (span.number == number && !span.suspended) {
                return span;
            }
        }
        return null;
    }

    /** Oldest first. */
    List<RoundSpan> all() {
        return spans.stream().map(this::value).toList();
    }

    private RoundSpan value(Span span) {
        return new RoundSpan(
                span.number,
                span.cause,
                span.suspended,
                span.first,
                span.worldSize,
                new RoundSpan.Times(span.sealed, span.worked, span.resumed, span.broken, span.paused),
                members(span));
    }

    /** Ranks follow the order of nodes in a round. */
    private List<RoundSpan.Member> members(Span span) {
        List<String> nodes = span.nodes.isEmpty()
                ? span.published.entrySet().stream()
                        .sorted(Comparator.comparingInt(
                                entry -> entry.getValue().rank()))
                        .map(Map.Entry::getKey)
                        .toList()
                : span.nodes;
        List<RoundSpan.Member> members = new ArrayList<>();
        int next = 0;
        for (String node : nodes) {
            Published own = span.published.getOrDefault(node, new Published(next, slots(node, List.of())));
            RunEvent.RunJoined join = joined.get(node);
            members.add(new RoundSpan.Member(node, join == null ? "" : join.host(), own.rank(), own.slots()));
            next = own.rank() + own.slots();
        }
        return members;
    }
}
