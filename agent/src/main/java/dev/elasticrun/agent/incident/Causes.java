/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import dev.elasticrun.rendezvous.FailureKind;
import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.restart.CauseText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Who began an incident, and how we know. Pure. */
final class Causes {
    private final History history;
    private final long incident;
    private final List<RunEvent> until;
    private final List<Cause> causes;

    Causes(History history, long incident) {
        this.history = history;
        this.incident = incident;
        this.until = history.until(incident);
        this.causes = Stream.concat(
                        history.of(incident).stream()
                                .filter(event -> event.is("round.sealed")
                                        || event.is("round.suspended")
                                        || (event.is("incident.detected") && event.has("next_round"))
                                        || event.is("work.published")),
                        until.stream().filter(event -> event.is("run.ended")))
                .flatMap(event -> event.causes().stream())
                .distinct()
                .toList();
    }

    /** Those who began it first. */
    List<Culprit> find() {
        List<Culprit> found = new ArrayList<>(command());
        found.addAll(workers());
        List<String> known =
                found.stream().filter(Culprit::isWorker).map(Culprit::node).toList();
        lost().forEach(found::add);
        nodes(Cause.NodesLeaving.class, Cause.NodesLeaving::nodes).forEach(node -> found.add(left(node)));
        until.stream()
                .filter(event -> event.is("node.draining"))
                .map(RunEvent::node)
                .distinct()
                .filter(this::wasIn)
                .filter(node -> found.stream()
                        .noneMatch(one -> one.node().equals(node) && one.what().equals("node_left")))
                .forEach(node -> found.add(left(node)));
        excluded().forEach(node -> found.add(Culprit.node("left_out", node, "told", whyLeftOut(node))));
        nodes(Cause.NodesFenced.class, Cause.NodesFenced::nodes).stream()
                .filter(node -> !known.contains(node))
                .forEach(node -> found.add(fenced(node)));
        joined().forEach(found::add);
        return found.stream().sorted(Comparator.comparing(Culprit::followed)).toList();
    }

    private List<Culprit> command() {
        return causes.stream().anyMatch(Cause.RestartCommanded.class::isInstance)
                ? List.of(Culprit.node("command", coordinator(), "told", "restart of all workers" + askedBy("restart")))
                : List.of();
    }

    /** In the order in which they failed; the one that the whole run calls the root cause is the first. */
    private List<Culprit> workers() {
        Optional<RunEvent> end = until.stream()
                .filter(event -> event.is("run.ended") && event.has("root_node"))
                .findFirst();
        Comparator<RunEvent> order = Comparator.comparing((RunEvent event) ->
                        !end.map(root -> isRoot(event, root)).orElse(false))
                .thenComparing(event -> event.flag("collateral"))
                .thenComparing(event -> event.time().minusMillis(Math.max(0, event.number("held_ms"))));
        List<Culprit> found = until.stream()
                .filter(event -> event.is("incident.detected") && event.has("slot") && event.has("how"))
                .sorted(order)
                .map(Causes::worker)
                .collect(Collectors.toCollection(ArrayList::new));
        until.stream()
                .filter(event -> event.is("run.stop_requested") && event.has("slot"))
                .findFirst()
                .ifPresent(event -> {
                    // Its process may have ended before its agent did what it asked for.
                    found.removeIf(one -> isOf(one, event));
                    found.add(0, stopped(event, end));
                });
        return found;
    }

    private static boolean isRoot(RunEvent event, RunEvent root) {
        return event.node().equals(root.text("root_node"))
                && event.number("slot") == root.number("root_slot")
                && event.number("attempt") == root.number("root_attempt");
    }

    private static boolean isOf(Culprit worker, RunEvent event) {
        return worker.node().equals(event.node()) && worker.slot() == event.number("slot");
    }

    private static Culprit worker(RunEvent event) {
        return new Culprit(
                "worker_failed",
                event.node(),
                (int) event.number("rank"),
                (int) event.number("slot"),
                (int) event.number("attempt"),
                event.number("pid"),
                (int) event.number("exit_code"),
                event.text("how"),
                event.text("message"),
                event.flag("collateral"));
    }

    private static Culprit stopped(RunEvent event, Optional<RunEvent> end) {
        return new Culprit(
                "worker_failed",
                event.node(),
                end.map(root -> (int) root.number("root_rank")).orElse(-1),
                (int) event.number("slot"),
                (int) event.number("attempt"),
                0,
                -1,
                FailureKind.STOPPED_THE_RUN.text(),
                event.text("message"),
                false);
    }

    private List<Culprit> lost() {
        List<String> named = new ArrayList<>(nodes(Cause.NodesLost.class, Cause.NodesLost::nodes));
        history.before(incident).ifPresent(before -> before.nodes().stream()
                .filter(node -> !named.contains(node) && isGone(node))
                .forEach(named::add));
        return named.stream().map(this::lost).toList();
    }

    /** Whether it is proved dead, and no cause needs it: the coordinator had another, or there is none yet. */
    private boolean isGone(String node) {
        Optional<History.Sealed> answer = history.answer(incident);
        if (answer.isEmpty()) {
            return !proofs(node).isEmpty();
        }
        return !answer.get().nodes().contains(node)
                && !excluded().contains(node)
                && proofs(node).stream().anyMatch(proof -> history.home(proof) == incident);
    }

    private Culprit lost(String node) {
        List<RunEvent> proofs = proofs(node);
        if (!proofs.isEmpty()) {
            String by = proofs.stream().map(RunEvent::node).distinct().sorted().collect(Collectors.joining(", "));
            return Culprit.node("node_lost", node, "proved", proofs.get(0).text("evidence") + " (seen by " + by + ")");
        }
        boolean lives = history.kind("node.lost", node).anyMatch(this::isAround);
        return Culprit.node(
                "node_lost",
                node,
                "lease",
                lives
                        ? "its lease ran out while its agent lived: the agent, or its way to the store, stood still"
                        : "its lease ran out without a sign of life");
    }

    /** A death may be proved by some only after the round is there. */
    private List<RunEvent> proofs(String node) {
        return history.kind("node.proved_dead")
                .filter(event -> event.text("dead").equals(node))
                .filter(this::isAround)
                .toList();
    }

    private boolean isAround(RunEvent event) {
        long home = history.home(event);
        return home == incident || home == incident + 1;
    }

    private Culprit left(String node) {
        Optional<RunEvent> draining = history.kind("node.draining", node).findFirst();
        String asked = askedBy("drain " + node);
        String why = !asked.isEmpty()
                ? "it was told to leave by the command drain" + asked
                : draining.map(event -> event.number("exit_code") == 130
                                ? "it was interrupted"
                                : "it was told to leave by a signal")
                        .orElse("its agent said that it leaves");
        return Culprit.node("node_left", node, "told", why);
    }

    private String coordinator() {
        return history.of(incident).stream()
                .filter(event -> event.has("next_round"))
                .map(RunEvent::node)
                .findFirst()
                .orElse("");
    }

    /** Of the newest accepted command of that text. */
    private String askedBy(String command) {
        return history.kind("command.consumed")
                .filter(event -> event.flag("accepted") && event.text("command").equals(command))
                .reduce((earlier, later) -> later)
                .map(event -> ", asked for by " + event.text("asked_by"))
                .orElse("");
    }

    private String whyLeftOut(String node) {
        Optional<String> asked = history.kind("node.exclude_requested", node)
                .reduce((earlier, later) -> later)
                .map(event -> "a worker of it asked for that: " + event.text("message"));
        return asked.or(() -> of(Cause.LinkOf.class)
                        .filter(link -> link.node().equals(node) || link.peer().equals(node))
                        .map(link -> CauseText.of(List.of(link)))
                        .findFirst())
                .or(() -> of(Cause.ScaleCommanded.class)
                        .map(scale ->
                                "the run was " + CauseText.of(List.of(scale)) + askedBy("scale " + scale.bounds()))
                        .findFirst())
                .orElse("the coordinator decided so");
    }

    private List<String> excluded() {
        return nodes(Cause.NodesExcluded.class, Cause.NodesExcluded::nodes);
    }

    /** A standby may come and go without an incident. */
    private boolean wasIn(String node) {
        return history.before(incident)
                .filter(round -> round.nodes().contains(node))
                .isPresent();
    }

    private static Culprit fenced(String node) {
        return Culprit.node(
                "fenced",
                node,
                "lease",
                "its lease was in doubt, so that its workers paused: the agent, or its way to the store, stood still");
    }

    private List<Culprit> joined() {
        List<String> before =
                history.before(incident).map(History.Sealed::nodes).orElse(List.of());
        if (before.isEmpty()) {
            return List.of();
        }
        return history.answer(incident).map(History.Sealed::nodes).orElse(List.of()).stream()
                .filter(node -> !before.contains(node))
                .map(node -> Culprit.node("joined", node, "told", "its workers were ready"))
                .toList();
    }

    /** Those that causes of this type name. */
    private <C extends Cause> List<String> nodes(Class<C> type, Function<C, List<String>> names) {
        return of(type).flatMap(cause -> names.apply(cause).stream()).distinct().toList();
    }

    private <C extends Cause> Stream<C> of(Class<C> type) {
        return causes.stream().filter(type::isInstance).map(type::cast);
    }
}
