/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.history;

import dev.elasticrun.agent.http.PastPage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.function.Predicate;

/** The newest lines of a log, all or those that have a text in them. Pure; owned by one thread. */
final class LogSearch implements Predicate<String> {
    private static final int MAX_LINES = 1000;
    private static final int MAX_LINE = 4096;

    private final String wanted;
    private final Deque<String> found = new ArrayDeque<>();
    private long lines;
    private long matches;

    /** @param wanted letters of either case are the same; empty = all lines */
    LogSearch(String wanted) {
        this.wanted = wanted.toLowerCase(Locale.ROOT);
    }

    @Override
    public boolean test(String line) {
        lines++;
        if (line.toLowerCase(Locale.ROOT).contains(wanted)) {
            matches++;
            String shown = line.length() > MAX_LINE ? line.substring(0, MAX_LINE) + "…" : line;
            found.addLast(wanted.isEmpty() ? shown : lines + ": " + shown);
            if (found.size() > MAX_LINES) {
                found.removeFirst();
            }
        }
        return true;
    }

    PastPage.LogText text() {
        String shown = matches > found.size() ? ", the newest " + found.size() + " of them" : "";
        String note = lines == 0
                ? "nothing was written"
                : wanted.isEmpty()
                        ? count(lines, "line") + shown
                        : matches + " of " + count(lines, "line") + " with this text" + shown;
        return new PastPage.LogText(note, String.join("\n", found));
    }

    private static String count(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
