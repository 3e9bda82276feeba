/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.ExitCode;
import dev.elasticrun.agent.LaunchResult;
import dev.elasticrun.rendezvous.Failure;
import java.util.List;

/** What the command says at the end: the root cause first, then what it dragged along. Pure. */
final class FailureReport {
    private static final int MAX_STACK_LINES = 30;
    private static final int MAX_COLLATERAL = 16;
    private static final int FIRST_SIGNAL = 128;
    private static final List<String> SIGNALS = List.of(
            "", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE",
            "ALRM", "TERM");

    private FailureReport() {}

    static String render(LaunchResult result) {
        StringBuilder text = new StringBuilder();
        if (result.succeeded()) {
            line(text, "elastic-run: succeeded: " + result.reason());
            return statesLost(text, result).toString();
        }
        if (result.exitCode() == ExitCode.USAGE.code()) {
            result.reason().lines().forEach(violation -> line(text, "elastic-run: " + violation));
            return text.toString();
        }
        line(text, "elastic-run: exit " + result.exitCode() + ": " + result.reason());
        statesLost(text, result);
        boolean first = true;
        int collateral = 0;
        for (Failure failure : result.failures()) {
            if (first) {
                rootCause(text, failure);
            } else if (++collateral <= MAX_COLLATERAL) {
                line(
                        text,
                        (failure.collateral() ? "  collateral: " : "  also failed: ") + where(failure) + ": "
                                + end(failure) + said(failure));
            }
            first = false;
        }
        if (collateral > MAX_COLLATERAL) {
            line(text, "  and " + (collateral - MAX_COLLATERAL) + " more");
        }
        workers(text, result);
        return text.toString();
    }

    private static StringBuilder statesLost(StringBuilder text, LaunchResult result) {
        result.statesLost().forEach(lost -> line(text, "  " + lost.describe()));
        return text;
    }

    private static void rootCause(StringBuilder text, Failure failure) {
        line(text, "  root cause: " + where(failure));
        line(text, "    ended:   " + end(failure));
        failure.message().lines().limit(1).forEach(message -> line(text, "    message: " + message));
        failure.message().lines().skip(1).limit(MAX_STACK_LINES).forEach(more -> line(text, "             " + more));
        block(text, "stack", failure.stack().lines().toList());
        block(text, "last lines of its standard error", failure.lastStderr());
        if (!failure.logFile().isEmpty()) {
            line(text, "    log:     " + failure.logFile());
        }
    }

    private static void block(StringBuilder text, String title, List<String> lines) {
        if (lines.isEmpty()) {
            return;
        }
        line(text, "    " + title + ":");
        lines.stream().limit(MAX_STACK_LINES).forEach(one -> line(text, "      | " + one));
        if (lines.size() > MAX_STACK_LINES) {
            line(text, "      | ... " + (lines.size() - MAX_STACK_LINES) + " more lines in the log");
        }
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

    private static String said(Failure failure) {
        String first = failure.message().lines().findFirst().orElse("");
        return first.isEmpty() || first.equals(end(failure.exitCode())) ? "" : ": " + first;
    }

    private static String end(Failure failure) {
        return failure.exitCode() < 0 && failure.pid() > 0 ? "it was still running" : end(failure.exitCode());
    }

    /** As the agent says it, for the codes that a worker ends with most. */
    static String end(int exitCode) {
        int signal = exitCode - FIRST_SIGNAL;
        if (exitCode < 0) {
            return "not started, or its end is not known";
        }
        return signal > 0 && signal < SIGNALS.size()
                ? "killed by SIG" + SIGNALS.get(signal) + " (" + signal + ")"
                : "exit code " + exitCode;
    }

    private static StringBuilder line(StringBuilder text, String line) {
        return text.append(line).append(System.lineSeparator());
    }
}
