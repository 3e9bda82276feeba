/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.view;

import dev.elasticrun.agent.LaunchResult;
import dev.elasticrun.agent.RunSummary;
import dev.elasticrun.agent.incident.RunTotals;
import dev.elasticrun.rendezvous.record.Failure;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The worker that made a run fail, in the report of its end: nothing of what is known is stated twice. Pure. */
final class CulpritText {
    private static final int MAX_LINES = 30;
    private static final Pattern NO_API =
            Pattern.compile("(NoClassDefFoundError|ClassNotFoundException): dev[./]elasticrun[./](worker|xgboost)[./]");

    private CulpritText() {}

    static List<String> lines(LaunchResult result, Failure failure, ZoneId zone) {
        List<String> lines = new ArrayList<>();
        Optional<RunTotals.FailedAt> at = failedAt(result, failure);
        at.ifPresent(known -> lines.add("    at:      " + time(known.time(), zone) + where(known)));
        String end = FailureReport.end(failure);
        lines.add("    ended:   " + end);
        List<String> message = failure.message().lines().toList();
        if (!failure.message().equals(end)) {
            message.stream().limit(1).forEach(first -> lines.add("    message: " + first));
            message.stream().skip(1).limit(MAX_LINES).forEach(more -> lines.add("             " + more));
        }
        hints(failure, at).forEach(hint -> lines.add("    hint:    " + hint));
        List<String> stack = failure.stack().lines().toList();
        block(lines, "stack", stack);
        block(lines, "last lines of its standard error", without(failure.lastStderr(), stack));
        if (!failure.savedFile().isEmpty()) {
            lines.add("    saved:   " + failure.savedFile());
        }
        if (!failure.logFile().isEmpty()) {
            lines.add("    log:     " + failure.logFile());
        }
        return lines;
    }

    /** Known of this node's workers only. */
    private static Optional<RunTotals.FailedAt> failedAt(LaunchResult result, Failure failure) {
        return result.summary().map(RunSummary::totals).stream()
                .filter(totals -> failure.nodeId().equals(result.nodeId()))
                .flatMap(totals -> totals.failures().stream())
                .filter(at -> at.slot() == failure.slot() && at.attempt() == failure.attempt())
                .findFirst();
    }

    private static String time(Instant time, ZoneId zone) {
        return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
                time.truncatedTo(ChronoUnit.SECONDS).atZone(zone));
    }

    private static String where(RunTotals.FailedAt at) {
        return (at.step() > 0 ? ", step " + at.step() : "") + (at.version() > 0 ? ", checkpoint " + at.version() : "");
    }

    private static List<String> hints(Failure failure, Optional<RunTotals.FailedAt> at) {
        List<String> hints = new ArrayList<>();
        boolean lacksApi = Stream.concat(Stream.of(failure.message(), failure.stack()), failure.lastStderr().stream())
                .anyMatch(text -> NO_API.matcher(text).find());
        if (lacksApi) {
            hints.add("the program has no worker API in its class path (expected: elastic-run-worker-api in its jar, or"
                    + " in --class-path)");
        }
        at.filter(known -> known.alike() > 0).ifPresent(known -> hints.add(repeated(known)));
        return hints;
    }

    private static String repeated(RunTotals.FailedAt at) {
        String where = at.step() > 0
                ? "at the same step"
                : at.version() > 0 ? "at the same checkpoint" : "before any step was reported";
        String times = at.alike() == 1 ? "twice" : at.alike() + 1 + " times";
        return "the same failure " + where + " " + times + ": a deterministic error of the program is likely";
    }

    // A JVM prints what it dies of, after the name of the thread.
    private static List<String> without(List<String> lastLines, List<String> stack) {
        Set<String> known = new HashSet<>();
        stack.forEach(line -> known.add(line.strip()));
        return lastLines.stream()
                .filter(line -> line.isBlank() || !isKnown(line.strip(), known))
                .dropWhile(String::isBlank)
                .toList();
    }

    private static boolean isKnown(String line, Set<String> known) {
        if (!line.startsWith("Exception in thread ")) {
            return known.contains(line);
        }
        int name = line.indexOf("\" ");
        return name >= 0 && known.contains(line.substring(name + 2));
    }

    private static void block(List<String> lines, String title, List<String> content) {
        if (content.isEmpty()) {
            return;
        }
        lines.add("    " + title + ":");
        content.stream().limit(MAX_LINES).forEach(one -> lines.add("      | " + one));
        if (content.size() > MAX_LINES) {
            lines.add("      | ... " + (content.size() - MAX_LINES) + " more lines in the log");
        }
    }
}
