/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import dev.elasticrun.agent.incident.IncidentReport.Outcome;
import dev.elasticrun.agent.process.ExitDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** A report in plain words. Pure. */
public final class IncidentText {
    private static final int MAX_WORDS = 300;
    private static final int MAX_FOLLOWERS = 8;
    private static final int SIGNAL_BASE = 128;
    /** What the kernel, or the process itself, does about a fault of the program. */
    private static final Set<Integer> FAULTS = Set.of(4, 5, 6, 7, 8, 11, 16, 31);

    private static final Set<Integer> LIMITS = Set.of(24, 25);

    private IncidentText() {}

    /** One paragraph. */
    public static String of(IncidentReport report) {
        List<String> sentences = new ArrayList<>();
        report.culprits().stream()
                .filter(one -> !one.followed())
                .map(IncidentText::who)
                .forEach(sentences::add);
        followers(report, sentences);
        outcome(report, sentences);
        cost(report, sentences);
        report.keptOut()
                .forEach(one -> sentences.add("Node " + one.node() + " was kept out"
                        + (one.seconds() < 0 ? "" : " for " + one.seconds() + " s") + ": " + one.why() + "."));
        return String.join(" ", sentences);
    }

    private static String who(Culprit one) {
        return switch (one.what()) {
            case "worker_failed" -> worker(one) + " " + how(one) + ".";
            case "node_lost" -> "Node " + one.node() + " was lost: " + one.evidence() + ".";
            case "node_left" -> "Node " + one.node() + " left: " + one.evidence() + ".";
            case "left_out" -> "Node " + one.node() + " was left out: " + one.evidence() + ".";
            case "store_unreachable" ->
                "Node " + one.node() + " could not reach the store: " + words(one.evidence()) + ".";
            case "fenced" -> "Node " + one.node() + " was fenced: " + one.evidence() + ".";
            case "command" -> "There was a command: " + one.evidence() + ".";
            case "joined" -> "Node " + one.node() + " joined: " + one.evidence() + ".";
            default -> one.what() + " " + one.node() + ": " + one.evidence() + ".";
        };
    }

    private static String worker(Culprit one) {
        String rank = one.rank() < 0 ? "Local rank " + one.slot() : "Rank " + one.rank();
        return rank + " on " + one.node()
                + (one.pid() > 0 ? " (pid " + one.pid() + ", attempt " + one.attempt() + ")" : "");
    }

    private static String how(Culprit one) {
        String words = words(one.evidence());
        return switch (one.how()) {
            case "exception" -> "failed with an exception: " + words;
            case "exit_code" -> "ended with " + exitCode(one, words);
            case "signal" -> "was " + signal(one, words);
            case "out_of_memory" -> "was killed by the kernel for lack of memory: " + words;
            case "hang" -> "made no progress and was killed by its agent: " + words;
            case "straggler" -> "did not come out of a round that was over and was killed by its agent: " + words;
            case "unreachable" -> "could not be reached by its agent and was killed: " + words;
            case "no_answer" -> "did not answer: " + words;
            case "not_started" -> "could not be started: " + words;
            case "stuck" -> "did not end when it was killed: " + words;
            case "ended_early" -> words;
            case "stopped_the_run" -> "ended the run itself: " + words;
            default -> "failed: " + words;
        };
    }

    private static String exitCode(Culprit one, String words) {
        String code = "exit code " + one.exitCode();
        return words.equals(code)
                ? code + ", and left no error report"
                : words.startsWith(code) ? words : code + ": " + words;
    }

    private static String signal(Culprit one, String words) {
        int signal = one.exitCode() - SIGNAL_BASE;
        String source = FAULTS.contains(signal)
                ? "which a fault in the process raises"
                : LIMITS.contains(signal) ? "which the kernel sends at a limit" : "which its agent did not send";
        String killed = ExitDescription.describe(one.exitCode());
        return (words.startsWith(killed) ? words : killed + ", and had reported: " + words) + ", " + source;
    }

    /** The first line, not too long, and without an end of its own. */
    private static String words(String text) {
        String line = text.lines().findFirst().orElse("").strip();
        String cut = line.length() <= MAX_WORDS ? line : line.substring(0, MAX_WORDS) + " ...";
        return cut.endsWith(".") && !cut.endsWith("...") ? cut.substring(0, cut.length() - 1) : cut;
    }

    private static void followers(IncidentReport report, List<String> sentences) {
        List<Culprit> followed =
                report.culprits().stream().filter(Culprit::followed).toList();
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
        // Without the words of who sealed it only those members are known whose files are.
        String round = "round " + report.toRound() + " with "
                + (report.coordinator().isEmpty() ? "" : count(report.nodes().size(), "node") + ", ") + "world size "
                + report.worldSize();
        String by = report.coordinator().isEmpty() ? "" : ", sealed by " + report.coordinator();
        switch (report.outcome()) {
            case STARTED -> sentences.add("The run began in " + round + by + ".");
            case WENT_ON ->
                // Where nobody's beginning is known, not even the policy is.
                sentences.add((report.survivors() < 0 && report.maxRestarts() < 0
                                ? "The run went on in "
                                : report.survivors() == 0
                                        ? "No worker went on, all were started anew in "
                                        : "Healthy workers went on in ")
                        + round + by + restarts(report) + ".");
            case RESTARTED ->
                sentences.add("All workers were stopped and started again in " + round + by + restarts(report) + ".");
            case PAUSED -> sentences.add(paused(report));
            case WAITS ->
                sentences.add("No round has answered it yet"
                        + (report.waited().isEmpty() ? "" : ": " + words(report.waited())) + ".");
            case SUCCEEDED -> sentences.add("The run ended as succeeded: " + words(report.end()) + ".");
            case STOPPED -> sentences.add("The run was " + words(report.end()) + restarts(report) + ".");
            case FAILED -> sentences.add("The run ended as failed: " + words(report.end()) + restarts(report) + ".");
            case LEFT ->
                sentences.add("All agents left, and the run can be started again: " + words(report.end()) + ".");
        }
    }

    private static String paused(IncidentReport report) {
        if (report.isOpen()) {
            return "Workers are paused until it answers.";
        }
        return report.survivors() < 0
                ? "Leases were in doubt for " + time(report.cost().total())
                        + ": workers that know of leases were paused by themselves until they were renewed. Round "
                        + report.toRound() + " went on."
                : count(report.survivors(), "worker") + " went on in round " + report.toRound()
                        + ", which was not changed.";
    }

    private static String restarts(IncidentReport report) {
        return report.restartsUsed() < 0 || report.maxRestarts() < 0
                ? ""
                : "; " + report.restartsUsed() + " of " + report.maxRestarts() + " restarts used";
    }

    private static void cost(IncidentReport report, List<String> sentences) {
        Cost cost = report.cost();
        if (report.isOpen()) {
            return;
        }
        if (report.toRound() == 0) {
            costOfEnd(report, cost, sentences);
            return;
        }
        if (report.outcome() == Outcome.STARTED || (report.isPause() && report.survivors() < 0)) {
            return;
        }
        List<String> parts = new ArrayList<>();
        part(parts, cost.detected(), "until the coordinator decided");
        part(parts, cost.sealed(), "until the round was sealed");
        part(parts, cost.paused(), "until members received WORK");
        part(parts, cost.resumed(), "until the last worker worked");
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
        if (report.outcome() == Outcome.WENT_ON && report.survivors() != 0) {
            hard(cost, sentences);
        }
    }

    private static void costOfEnd(IncidentReport report, Cost cost, List<String> sentences) {
        if (report.outcome() != Outcome.FAILED && report.outcome() != Outcome.LEFT) {
            return;
        }
        List<String> parts = new ArrayList<>();
        part(parts, cost.ended(), "until the run's end was decided");
        part(parts, cost.gone(), "until the last worker was gone");
        if (!parts.isEmpty()) {
            sentences.add("It took " + String.join(", ", parts) + ".");
        }
        if (cost.stepBefore() >= 0) {
            sentences.add("The newest step was " + cost.stepBefore()
                    + (cost.versionBefore() > 0 ? ", the newest checkpoint " + cost.versionBefore() : "") + ".");
        }
        if (report.outcome() == Outcome.FAILED) {
            hard(cost, sentences);
        }
    }

    private static void hard(Cost cost, List<String> sentences) {
        if (cost.hard() >= 0) {
            sentences.add("A restart of all workers would have cost about " + time(cost.hard()) + ", the median of "
                    + count(cost.hardStarts(), "start") + " of this run from process to first operation"
                    + (cost.stepsLost() > 0 ? ", and the same steps" : "") + ".");
        }
    }

    private static void lost(Cost cost, List<String> sentences) {
        long back = cost.versionBefore() - cost.versionAfter();
        if (cost.versionAfter() > 0 && cost.versionBefore() >= 0) {
            sentences.add(
                    back > 0
                            ? "They went back from checkpoint " + cost.versionBefore() + " to " + cost.versionAfter()
                                    + "."
                            : "They went on from checkpoint " + cost.versionAfter() + ", the newest.");
        }
        if (cost.stepsLost() >= 0) {
            sentences.add(
                    cost.stepsLost() == 0 ? "No step was lost." : count(cost.stepsLost(), "step") + " were lost.");
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
