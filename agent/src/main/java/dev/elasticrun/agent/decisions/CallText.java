/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.decisions;

import dev.elasticrun.rendezvous.plan.Decision;
import dev.elasticrun.rendezvous.plan.Gathering;
import dev.elasticrun.rendezvous.plan.PlannerCall;
import dev.elasticrun.rendezvous.record.Command;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.RestartDecision;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A call of the planner in short, for display. Pure. */
final class CallText {
    private static final int MAX_NAMED = 20;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private CallText() {}

    static List<String> known(PlannerCall call) {
        PlannerCall.Given given = call.given();
        Round round = given.round();
        List<String> known = new ArrayList<>();
        known.add(round == null ? "no round yet" : round(round));
        known.add("nodes: " + list(given.nodes().stream().map(CallText::node).toList()));
        List<String> gone = round == null ? List.of() : gone(round, given.nodes());
        if (!gone.isEmpty()) {
            known.add("gone: " + list(gone));
        }
        List<String> failures = given.nodes().stream()
                .flatMap(node -> node.record().failures().stream())
                .filter(failure -> isOf(failure, round))
                .map(CallText::failure)
                .toList();
        if (!failures.isEmpty()) {
            known.add("failed: " + list(failures));
        }
        if (!given.commands().isEmpty()) {
            known.add("commands: "
                    + list(given.commands().stream().map(Command::text).toList()));
        }
        int used = round == null ? 0 : round.budgetUsed();
        known.add("restarts used: " + used + " of " + given.terms().maxRestarts());
        Gathering before = given.gathering();
        if (before.kind() != Gathering.Kind.NOTHING) {
            long millis = (given.nowNanos() - before.sinceNanos()) / NANOS_PER_MILLI;
            known.add("waited for " + word(before.kind()) + " since " + millis + " ms");
        }
        return known;
    }

    static List<String> answers(PlannerCall call) {
        return call.advice().stream()
                .map(advice -> answer(advice.decision()))
                .distinct()
                .toList();
    }

    static String decided(PlannerCall call) {
        Decision decision = call.plan().decision();
        String why = call.plan().reason();
        if (decision instanceof Decision.Publish publish) {
            return published(publish.round(), call.given().round()) + ", because " + why;
        } else if (decision instanceof Decision.End end) {
            return "the run ends " + end.verdict().word() + ": " + why;
        }
        return (decision instanceof Decision.Wait ? "wait: " : "nothing to do: ") + why;
    }

    private static String round(Round round) {
        return "round " + round.number() + (round.suspended() ? ", suspended" : "") + ", " + members(round);
    }

    private static String published(Round next, @Nullable Round before) {
        if (next.amends(before)) {
            return "round " + next.number() + " stands";
        }
        return "round " + next.number() + " is " + (next.suspended() ? "suspended" : "sealed") + ", " + members(next);
    }

    private static String members(Round round) {
        return round.worldSize()
                + (round.worldSize() == 1 ? " worker on " : " workers on ")
                + list(round.participants().stream().map(Participant::nodeId).toList());
    }

    private static String node(Node node) {
        return node.nodeId() + " " + word(node.phase());
    }

    private static List<String> gone(Round round, List<Node> nodes) {
        Set<Long> live = nodes.stream().map(Node::createRevision).collect(Collectors.toSet());
        return round.participants().stream()
                .filter(place -> !live.contains(place.createRevision()))
                .map(Participant::nodeId)
                .toList();
    }

    private static boolean isOf(Failure failure, @Nullable Round round) {
        return failure.round() >= (round == null ? 0 : round.number());
    }

    private static String failure(Failure failure) {
        return "worker " + failure.slot() + " of " + failure.nodeId() + " (" + word(failure.kind()) + ", exit code "
                + failure.exitCode() + (failure.collateral() ? ", a consequence of another failure" : "") + ")";
    }

    private static String answer(RestartDecision decision) {
        if (decision instanceof RestartDecision.Reform reform) {
            List<String> parts = new ArrayList<>();
            add(parts, "restart", reform.restart());
            add(parts, "replace workers of", reform.replace());
            add(parts, "regrow", reform.regrow());
            add(parts, "shrink", reform.shrink());
            add(parts, "take out", reform.leave());
            parts.add("charge " + reform.charge());
            return "new round of those that are well: " + String.join(", ", parts);
        } else if (decision instanceof RestartDecision.RestartAll all) {
            return "restart all workers: charge " + all.charge();
        }
        return (decision instanceof RestartDecision.Fail ? "fail: " : "keep the round: ") + decision.reason();
    }

    private static void add(List<String> parts, String what, Set<String> nodes) {
        if (!nodes.isEmpty()) {
            parts.add(what + " " + list(new TreeSet<>(nodes)));
        }
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String list(Collection<String> all) {
        String named = all.stream().limit(MAX_NAMED).collect(Collectors.joining(", "));
        return all.isEmpty()
                ? "none"
                : all.size() <= MAX_NAMED ? named : named + " and " + (all.size() - MAX_NAMED) + " more";
    }
}
