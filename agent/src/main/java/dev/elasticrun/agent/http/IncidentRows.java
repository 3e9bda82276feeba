/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import dev.elasticrun.agent.trail.RoundSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Incidents of a run, from its rounds. Pure. */
public final class IncidentRows {
    private IncidentRows() {}

    /**
     * Workers that failed in a round.
     *
     * @param words a part of a sentence; empty = nothing is known
     */
    public record Failed(List<Integer> ranks, String words) {
        public Failed {
            ranks = List.copyOf(ranks);
        }
    }

    /**
     * @param rounds oldest first; the first is no incident, unless it waits
     * @param failures what is known of workers that failed in a round
     * @return newest first
     */
    public static List<RunPicture.IncidentRow> of(List<RoundSpan> rounds, LongFunction<Failed> failures) {
        List<RunPicture.IncidentRow> rows = new ArrayList<>();
        for (int first = 1; first < rounds.size(); first++) {
            int last = first;
            while (last + 1 < rounds.size() && rounds.get(last).suspended()) {
                last++;
            }
            rows.add(0, row(rounds.get(first - 1), rounds.subList(first, last + 1), failures));
            first = last;
        }
        return rows;
    }

    private static RunPicture.IncidentRow row(RoundSpan before, List<RoundSpan> answer, LongFunction<Failed> failures) {
        RoundSpan first = answer.get(0);
        RoundSpan last = answer.get(answer.size() - 1);
        Long broken = before.broken();
        long began = broken == null ? first.sealed() : Math.min(broken, first.sealed());
        List<RunPicture.Phase> phases = new ArrayList<>();
        long at = began;
        at = phase(phases, "noticed", at, before.paused());
        if (first.suspended()) {
            at = phase(phases, "suspended", at, first.sealed());
        }
        if (!last.suspended()) {
            at = phase(phases, first.suspended() ? "waited" : "round sealed", at, last.sealed());
            at = phase(phases, "told to work", at, last.published());
            phase(phases, "working again", at, last.resumed());
        }
        Failed failed = failures.apply(before.number());
        return new RunPicture.IncidentRow(
                last.incident(),
                last.number(),
                first.kind(),
                words(before, first, last, began, failed.words()),
                failed.ranks(),
                began,
                last.resumed(),
                phases);
    }

    private static long phase(List<RunPicture.Phase> phases, String name, long from, @Nullable Long to) {
        if (to == null) {
            return from;
        }
        phases.add(new RunPicture.Phase(name, Math.max(0, to - from)));
        return Math.max(from, to);
    }

    private static String words(RoundSpan before, RoundSpan first, RoundSpan last, long began, String failure) {
        String cause = sentence(first.cause()) + (failure.isEmpty() ? "" : " " + sentence(failure));
        if (last.suspended()) {
            return cause + " The workers are paused until the run can go on.";
        }
        String size = before.worldSize() == last.worldSize()
                ? workers(last.worldSize())
                : last.worldSize() + " in place of " + workers(before.worldSize());
        Long resumed = last.resumed();
        return cause + " Round " + last.number() + " has " + size + "; "
                + (resumed == null
                        ? "they do not work again yet."
                        : "they worked again " + seconds(resumed - began) + " later.");
    }

    private static String workers(int number) {
        return number + (number == 1 ? " worker" : " workers");
    }

    private static String sentence(String words) {
        if (words.isEmpty()) {
            return "";
        }
        String begun = words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
        return begun.endsWith(".") ? begun : begun + ".";
    }

    private static String seconds(long millis) {
        return millis < 1000 ? millis + " ms" : String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
    }
}
