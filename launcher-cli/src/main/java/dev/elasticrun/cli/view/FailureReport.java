/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.view;

import dev.elasticrun.agent.LaunchResult;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.cli.text.PlainText;
import dev.elasticrun.rendezvous.record.Failure;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The command's report at the end of a run: the root cause first, then its consequences, and what the run took and cost.
 * Pure.
 */
public final class FailureReport {
    private static final int MAX_OTHERS = 16;
    private static final int MAX_ANSWERS = 16;

    private FailureReport() {}

    /** @param zone of the times in it */
    public static String render(LaunchResult result, ZoneId zone) {
        StringBuilder text = new StringBuilder();
        if (result.succeeded()) {
            line(text, "elastic-run: succeeded: " + result.reason());
            statesLost(text, result);
            answers(text, result);
            summary(text, result);
            return text.toString();
        }
        if (result.exitCode() == ExitCode.USAGE.code()) {
            result.reason().lines().forEach(violation -> line(text, "elastic-run: " + violation));
            return text.toString();
        }
        line(text, "elastic-run: exit " + result.exitCode() + ": " + result.reason());
        statesLost(text, result);
        RootCause cause = RootCause.of(result);
        if (cause.worker().isPresent()) {
            rootCause(text, result, cause, cause.worker().get(), zone);
        } else if (!result.failures().isEmpty() && cause.kind() != RootCause.Kind.LEFT) {
            line(text, "  root cause: no worker; " + cause.kind().words());
        }
        others(
                text,
                cause.kind() == RootCause.Kind.LEFT ? "failed before" : "also failed",
                result.failures().stream()
                        .skip(cause.worker().isPresent() ? 1 : 0)
                        .toList());
        answers(text, result);
        workers(text, result);
        summary(text, result);
        return text.toString();
    }

    private static void others(StringBuilder text, String word, List<Failure> failures) {
        failures.stream()
                .limit(MAX_OTHERS)
                .forEach(failure -> line(
                        text,
                        "  " + (failure.collateral() ? "collateral" : word) + ": " + where(failure) + ": "
                                + end(failure) + message(failure)));
        if (failures.size() > MAX_OTHERS) {
            line(text, "  and " + (failures.size() - MAX_OTHERS) + " more");
        }
    }

    // The rounds with which the run answered failures, newest last.
    private static void answers(StringBuilder text, LaunchResult result) {
        List<LaunchResult.Answer> answers = result.answers();
        if (answers.isEmpty()) {
            return;
        }
        line(text, "  what was done:");
        int left = Math.max(0, answers.size() - MAX_ANSWERS);
        if (left > 0) {
            line(text, "    ... " + left + " earlier rounds, see events.jsonl");
        }
        answers.stream().skip(left).forEach(answer -> line(text, "    " + describe(answer)));
    }

    private static String describe(LaunchResult.Answer answer) {
        return "round " + answer.round() + ": " + answer.cause() + "; "
                + (answer.suspended() ? "waited, and never went on" : "went on with world size " + answer.worldSize())
                + ", restarts used: " + answer.restartsUsed();
    }

    private static void statesLost(StringBuilder text, LaunchResult result) {
        result.statesLost().forEach(lost -> line(text, "  " + lost.describe()));
    }

    private static void rootCause(
            StringBuilder text, LaunchResult result, RootCause cause, Failure failure, ZoneId zone) {
        line(text, "  root cause: " + where(failure) + ": " + cause.kind().words());
        CulpritText.lines(result, failure, zone).forEach(one -> line(text, one));
    }

    private static void summary(StringBuilder text, LaunchResult result) {
        result.summary().ifPresent(summary -> SummaryText.lines(summary, !result.succeeded())
                .forEach(one -> line(text, one)));
    }

    private static void workers(StringBuilder text, LaunchResult result) {
        if (result.workers().stream().allMatch(worker -> worker.exitCode() < 0)) {
            return;
        }
        line(text, "  workers of " + result.nodeId() + ":");
        for (LaunchResult.WorkerResult worker : result.workers()) {
            String rank = worker.rank() < 0 ? "no rank" : "rank " + worker.rank();
            line(
                    text,
                    "    local rank " + worker.localRank() + ", " + rank + ", attempt " + worker.attempt() + ": "
                            + end(worker.exitCode()));
        }
    }

    private static String where(Failure failure) {
        String rank = failure.rank() < 0 ? "local rank " + failure.slot() : "rank " + failure.rank();
        String pid = failure.pid() <= 0 ? "" : ", pid " + failure.pid();
        return rank + " on " + failure.nodeId() + " (host " + failure.hostLabel() + pid + ", round " + failure.round()
                + ", attempt " + failure.attempt() + ")";
    }

    private static String message(Failure failure) {
        String first = failure.message().lines().findFirst().orElse("");
        return first.isEmpty() || first.equals(end(failure.exitCode())) ? "" : ": " + first;
    }

    static String end(Failure failure) {
        return failure.exitCode() < 0 && failure.pid() > 0 ? "it was still running" : end(failure.exitCode());
    }

    static String end(int exitCode) {
        return exitCode < 0 ? "not started, or its end is not known" : SignalName.describe(exitCode);
    }

    private static StringBuilder line(StringBuilder text, String line) {
        return text.append(PlainText.line(line)).append(System.lineSeparator());
    }

    /** Signals by name, as the agent names them. Pure. */
    private static final class SignalName {
        private static final int FIRST = 128;
        // By number, on all processors that are supported; a gap is a signal that does not kill.
        private static final List<String> NAMES =
                Arrays.asList(("- HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE"
                                + " ALRM TERM STKFLT - - - - - - - XCPU XFSZ - - - IO PWR SYS")
                        .split(" "));

        private SignalName() {}

        // 128+n for signal n.
        private static Optional<String> of(int exitCode) {
            int signal = exitCode - FIRST;
            boolean known =
                    signal > 0 && signal < NAMES.size() && !NAMES.get(signal).equals("-");
            return known ? Optional.of("SIG" + NAMES.get(signal)) : Optional.empty();
        }

        /** How a process ended. */
        static String describe(int exitCode) {
            return of(exitCode)
                    .map(name -> "killed by " + name + " (" + (exitCode - FIRST) + ")")
                    .orElse("exit code " + exitCode);
        }
    }
}
