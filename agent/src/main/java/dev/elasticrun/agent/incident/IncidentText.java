/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import dev.elasticrun.agent.incident.IncidentReport.Outcome;
import dev.elasticrun.agent.process.ExitDescription;
import dev.elasticrun.rendezvous.record.FailureKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Renders a report as plain text. Pure. */
public final class IncidentText {
    private static final int MAX_WORDS = 300;
    private static final int MAX_FOLLOWERS = 8;
    static final int SIGNAL_BASE = 128;
    // Signals that the kernel, or the process itself, sends on a fault of the program.
    private static final Set<Integer> FAULTS = Set.of(4, 5, 6, 7, 8, 11, 16, 31);

    private static final Set<Integer> LIMITS = Set.of(24, 25);

    private IncidentText() {}

    /** One paragraph. */
    public static String of(IncidentReport report) {
        List<String> sentences = new ArrayList<>();
        report.culprits().stream()
                .filter(one -> !one.followed())
                .map(IncidentText::culprit)
                .forEach(sentences::add);
        followers(report, sentences);
        outcome(report, sentences);
        cost(report, sentences);
        report.waiting()
                .keptOut()
                .forEach(one -> sentences.add("Node " + one.node() + " was kept out"
                        + (one.seconds() < 0 ? "" : " for " + one.seconds() + " s") + ": " + one.why() + "."));
        return String.join(" ", sentences);
    }

    private static String culprit(Culprit one) {
        if (one instanceof Culprit.FailedWorker worker) {
            return worker(worker) + " " + how(worker.how(), worker.end().exitCode(), worker.evidence()) + ".";
        }
        String node = "Node " + one.node();
        return switch (one.what()) {
            case WORKER_FAILED -> node + " failed: " + one.evidence() + ".";
            case NODE_LOST -> node + " was lost: " + one.evidence() + ".";
            case NODE_LEFT -> node + " left: " + one.evidence() + ".";
            case LEFT_OUT -> node + " was left out: " + one.evidence() + ".";
            case STORE_UNREACHABLE -> node + " could not reach the store: " + words(one.evidence()) + ".";
            case FENCED -> node + " was fenced: " + one.evidence() + ".";
            case DONE -> node + " was done: " + one.evidence() + ".";
            case COMMAND -> "There was a command: " + one.evidence() + ".";
            case JOINED -> node + " joined: " + one.evidence() + ".";
        };
    }

    private static String worker(Culprit.FailedWorker one) {
        String rank = one.rank() < 0 ? "Local rank " + one.worker().slot() : "Rank " + one.rank();
        return rank + " on " + one.node()
                + (one.end().pid() > 0
                        ? " (pid " + one.end().pid() + ", attempt "
                                + one.worker().attempt() + ")"
                        : "");
    }

    /** What a worker did that failed, in words that follow its name. */
    public static String how(FailureKind how, int exitCode, String evidence) {
        String words = words(evidence);
        return switch (how) {
            case EXCEPTION -> "failed with an exception: " + words;
            case EXIT_CODE -> "ended with " + exitCode(exitCode, words);
            case SIGNAL -> "was " + signal(exitCode, words);
            case OUT_OF_MEMORY -> "was killed by the kernel for lack of memory: " + words;
            case HANG -> "made no progress and was killed by its agent: " + words;
            case STRAGGLER -> "did not come out of a round that was over and was killed by its agent: " + words;
            case UNREACHABLE -> "could not be reached by its agent and was killed: " + words;
            case NO_ANSWER -> "did not answer: " + words;
            case NOT_STARTED -> "could not be started: " + words;
            case STUCK -> "did not end when it was killed: " + words;
            case ENDED_EARLY -> words;
            case STOPPED_THE_RUN -> "ended the run itself: " + words;
            case STATE_LOST, NO_PROGRESS -> "failed: " + words;
        };
    }

    private static String exitCode(int exitCode, String words) {
        String code = "exit code " + exitCode;
        return words.equals(code)
                ? code + ", and left no error report"
                : words.startsWith(code) ? words : code + ": " + words;
    }

    private static String signal(int exitCode, String words) {
        int signal = exitCode - SIGNAL_BASE;
        String source = FAULTS.contains(signal)
                ? "which a fault in the process raises"
                : LIMITS.contains(signal) ? "which the kernel sends at a limit" : "which its agent did not send";
        String killed = ExitDescription.describe(exitCode);
        return (words.startsWith(killed) ? words : killed + ", and had reported: " + words) + ", " + source;
    }

    // The first line, shortened, without its punctuation at the end.
    private static String words(String text) {
        String line = text.lines().findFirst().orElse("").strip();
        String cut = line.length() <= MAX_WORDS ? line : line.substring(0, MAX_WORDS) + " ...";
        return cut.endsWith(".") && !cut.endsWith("...") ? cut.substring(0, cut.length() - 1) : cut;
    }

    private static void followers(IncidentReport report, List<String> sentences) {
        List<Culprit.FailedWorker> followed =
                report.failedWorkers().filter(Culprit::followed).toList();
        if (!followed.isEmpty()) {
            String names = followed.stream()
                    .limit(MAX_FOLLOWERS)
                    .map(one -> "rank " + one.rank() + " on " + one.node())
                    .collect(Collectors.joining(", "));
            sentences.add("Failed because of it: " + names
                    + (followed.size() > MAX_FOLLOWERS ? " and " + (followed.size() - MAX_FOLLOWERS) + " more" : "")
                    + ".");
        }
    }

    private static void outcome(IncidentReport report, List<String> sentences) {
        boolean isKnown = !report.culprits().isEmpty() || report.outcome() == Outcome.STARTED;
        if (!isKnown && !report.cause().isEmpty()) {
            sentences.add("The coordinator's reason: " + report.cause() + ".");
        }
        // Without its coordinator's events only those members are known whose files are there.
        String round = "round " + report.answer().round() + " with "
                + (report.answer().coordinator().isEmpty()
                        ? ""
                        : count(report.answer().nodes().size(), "node") + ", ") + "world size "
                + report.answer().worldSize();
        String by = report.answer().coordinator().isEmpty()
                ? ""
                : ", sealed by " + report.answer().coordinator();
        switch (report.outcome()) {
            case STARTED -> sentences.add("The run began in " + round + by + ".");
            case WENT_ON ->
                // Where no log has its beginning, not even the policy is known.
                sentences.add((report.answer().survivors() < 0
                                        && report.answer().restarts().max() < 0
                                ? "The run went on in "
                                : report.answer().survivors() == 0
                                        ? "No worker went on, all were started anew in "
                                        : "Healthy workers went on in ")
                        + round + by + restarts(report) + ".");
            case RESTARTED ->
                sentences.add("All workers were stopped and started again in " + round + by + restarts(report) + ".");
            case PAUSED -> sentences.add(paused(report));
            case WAITS ->
                sentences.add("No round has answered it yet"
                        + (report.waiting().reason().isEmpty()
                                ? ""
                                : ": " + words(report.waiting().reason())) + ".");
            case SUCCEEDED ->
                sentences.add(
                        "The run ended as succeeded: " + words(report.result().end()) + ".");
            case STOPPED -> sentences.add("The run was " + words(report.result().end()) + restarts(report) + ".");
            case FAILED ->
                sentences.add(
                        "The run ended as failed: " + words(report.result().end()) + restarts(report) + ".");
            case LEFT ->
                sentences.add("All agents left, and the run can be started again: "
                        + words(report.result().end()) + ".");
        }
    }

    private static String paused(IncidentReport report) {
        if (report.isOpen()) {
            return "Workers are paused until it answers.";
        }
        return report.answer().survivors() < 0
                ? "Leases were in doubt for " + time(report.cost().total())
                        + ": workers that know of leases were paused by themselves until they were renewed. Round "
                        + report.answer().round() + " went on."
                : count(report.answer().survivors(), "worker") + " went on in round "
                        + report.answer().round() + ", which was not changed.";
    }

    private static String restarts(IncidentReport report) {
        return report.answer().restarts().used() < 0
                        || report.answer().restarts().max() < 0
                ? ""
                : "; " + report.answer().restarts().used() + " of "
                        + report.answer().restarts().max() + " restarts used"
                        + report.answer().restarts().within();
    }

    private static void cost(IncidentReport report, List<String> sentences) {
        Cost cost = report.cost();
        if (report.isOpen()) {
            return;
        }
        if (report.answer().round() == 0) {
            costOfEnd(report, cost, sentences);
            return;
        }
        if (report.outcome() == Outcome.STARTED
                || (report.isPause() && report.answer().survivors() < 0)) {
            return;
        }
        List<String> parts = new ArrayList<>();
        part(parts, cost.phases().detected(), "until the coordinator decided");
        part(parts, cost.phases().sealed(), "until the round was sealed");
        part(parts, cost.phases().paused(), "until members received WORK");
        part(parts, cost.phases().resumed(), "until the last worker worked");
        String paused = cost.stalled() < 0 ? "" : "Members were paused for " + time(cost.stalled());
        boolean isAll = cost.total() - cost.stalled() < 1;
        if (!paused.isEmpty() && (isAll || parts.isEmpty())) {
            sentences.add(paused + (parts.isEmpty() ? "" : ": " + String.join(", ", parts)) + ".");
        } else if (!parts.isEmpty()) {
            sentences.add("It took " + time(cost.total()) + ": " + String.join(", ", parts) + ".");
            if (!paused.isEmpty()) {
                sentences.add(paused + " of it.");
            }
        }
        lost(cost, sentences);
        if (report.outcome() == Outcome.WENT_ON && report.answer().survivors() != 0) {
            hard(cost, sentences);
        }
    }

    private static void costOfEnd(IncidentReport report, Cost cost, List<String> sentences) {
        if (report.outcome() != Outcome.FAILED && report.outcome() != Outcome.LEFT) {
            return;
        }
        List<String> parts = new ArrayList<>();
        part(parts, cost.end().decided(), "until the run's end was decided");
        part(parts, cost.end().gone(), "until the last worker was gone");
        if (!parts.isEmpty()) {
            sentences.add("It took " + String.join(", ", parts) + ".");
        }
        if (cost.progress().stepBefore() >= 0) {
            sentences.add("The newest step was " + cost.progress().stepBefore()
                    + (cost.progress().versionBefore() > 0
                            ? ", the newest checkpoint " + cost.progress().versionBefore()
                            : "")
                    + ".");
        }
        if (report.outcome() == Outcome.FAILED) {
            hard(cost, sentences);
        }
    }

    private static void hard(Cost cost, List<String> sentences) {
        if (cost.hard().millis() >= 0) {
            sentences.add("A restart of all workers would have cost about "
                    + time(cost.hard().millis()) + ", the median of "
                    + count(cost.hard().starts(), "start") + " of this run from process to first operation"
                    + (cost.progress().stepsLost() > 0 ? ", and the same steps" : "") + ".");
        }
    }

    private static void lost(Cost cost, List<String> sentences) {
        long back = cost.progress().versionBefore() - cost.progress().versionAfter();
        if (cost.progress().versionAfter() > 0 && cost.progress().versionBefore() >= 0) {
            sentences.add(
                    back > 0
                            ? "They went back from checkpoint "
                                    + cost.progress().versionBefore() + " to "
                                    + cost.progress().versionAfter() + "."
                            : "They went on from checkpoint " + cost.progress().versionAfter() + ", the newest.");
        }
        if (cost.progress().stepsLost() >= 0) {
            sentences.add(
                    cost.progress().stepsLost() == 0
                            ? "No step was lost."
                            : count(cost.progress().stepsLost(), "step") + " were lost.");
        }
    }

    private static void part(List<String> parts, double millis, String until) {
        if (millis >= 0.5) {
            parts.add(time(millis) + " " + until);
        }
    }

    private static String time(double millis) {
        if (millis < 1) {
            return "less than 1 ms";
        }
        return millis < 1000
                ? Math.round(millis) + " ms"
                : String.format(Locale.ROOT, millis < 100_000 ? "%.1f s" : "%.0f s", millis / 1000);
    }

    private static String count(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
