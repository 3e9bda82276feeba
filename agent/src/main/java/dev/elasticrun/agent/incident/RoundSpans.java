/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import dev.elasticrun.rendezvous.record.Round;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The newest rounds of a node, and what became of each. */
final class RoundSpans {
    private static final int MAX_ROUNDS = 64;

    private final Deque<Span> spans = new ArrayDeque<>();
    private final LongUnaryOperator millis;

    /** @param millis from the agent's monotonic clock, nanoseconds, to milliseconds since 1970 */
    RoundSpans(LongUnaryOperator millis) {
        this.millis = millis;
    }

    private static final class Span {
        private final Round round;
        private final boolean joined;
        private final long sealed;
        private @Nullable Long published;
        private @Nullable Long resumed;
        private @Nullable Long broken;
        private @Nullable Long paused;

        Span(Round round, boolean joined, long sealed) {
            this.round = round;
            this.joined = joined;
            this.sealed = sealed;
        }

        RoundSpan value() {
            return new RoundSpan(
                    round.number(),
                    round.cause(),
                    round.suspended(),
                    joined,
                    round.worldSize(),
                    new RoundSpan.Times(sealed, published, resumed, broken, paused),
                    round.participants().stream()
                            .map(member -> new RoundSpan.Member(
                                    member.nodeId(), member.spec().hostLabel(), member.firstRank(), member.size()))
                            .toList());
        }
    }

    /** A newer round, or the newest one with a change, as of which members it waits for. */
    void see(Round round, long nanos) {
        long now = millis.applyAsLong(nanos);
        Span last = spans.peekLast();
        boolean isKnown =
                last != null && last.round.number() >= round.number() && last.round.suspended() == round.suspended();
        if (isKnown) {
            return;
        }
        if (last != null && last.broken == null) {
            last.broken = now;
        }
        add(new Span(round, last == null, now));
    }

    /** The same round may resume after a pause of its own, as when the store was unavailable: that is a span, too. */
    void publish(Round round, long nanos) {
        long now = millis.applyAsLong(nanos);
        Span last = spans.peekLast();
        if (last == null || last.round.number() != round.number() || last.round.suspended()) {
            return;
        }
        if (last.published == null) {
            last.published = now;
        } else if (last.broken != null) {
            Span again = new Span(round, false, now);
            again.published = now;
            add(again);
        }
    }

    void resume(long number, long nanos) {
        long now = millis.applyAsLong(nanos);
        Span span = newest(one -> one.round.number() == number && one.published != null);
        if (span != null && span.resumed == null) {
            span.resumed = now;
        }
    }

    void pause(long number, long nanos) {
        long now = millis.applyAsLong(nanos);
        Span span = newest(one -> one.round.number() == number);
        if (span != null) {
            span.paused = span.paused == null ? (Long) now : span.paused;
            span.broken = span.broken == null ? (Long) now : span.broken;
        }
    }

    /** Something ends the newest round, if workers work in it. */
    void interrupt(long nanos) {
        long now = millis.applyAsLong(nanos);
        Span last = spans.peekLast();
        if (last != null && last.published != null && last.broken == null) {
            last.broken = now;
        }
    }

    /** Nothing ended it after all. */
    void mend() {
        Span last = spans.peekLast();
        if (last != null && last.paused == null) {
            last.broken = null;
        }
    }

    private void add(Span span) {
        spans.addLast(span);
        if (spans.size() > MAX_ROUNDS) {
            spans.removeFirst();
        }
    }

    private @Nullable Span newest(Predicate<Span> wanted) {
        for (Iterator<Span> newest = spans.descendingIterator(); newest.hasNext(); ) {
            Span span = newest.next();
            if (wanted.test(span)) {
                return span;
            }
        }
        return null;
    }

    /** Oldest first. */
    List<RoundSpan> all() {
        return spans.stream().map(Span::value).toList();
    }
}
