/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.incident.Culprit.Source;
import dev.elasticrun.agent.incident.Culprit.What;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.restart.CauseText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds what began an incident, with the evidence. Pure. */
final class Causes {
    // A worker that ends the run may continue until its agent stops it.
    private static final RunEvent.WorkerEnd NOT_ENDED = new RunEvent.WorkerEnd(0, -1);
    private static final String DONE_TOO_EARLY = "its workers ended with exit code 0 before they worked in the round";

    private final History history;
    private final long incident;
    private final List<LoggedEvent> until;
    private final List<Cause> causes;

    Causes(History history, long incident) {
        this.history = history;
        this.incident = incident;
        this.until = history.until(incident);
        Stream<Cause> ofRounds = history.of(incident).stream()
                .flatMap(event -> event.as(RunEvent.OfCauses.class).stream())
                .flatMap(event -> event.causes().stream());
        Stream<Cause> ofEnd = until.stream()
                .flatMap(event -> event.as(RunEvent.RunEnded.class).stream())
                .flatMap(event -> event.causes().stream());
        this.causes = Stream.concat(ofRounds, ofEnd).distinct().toList();
    }

    /** Those that began it come first. */
    List<Culprit> find() {
        List<Culprit> found = new ArrayList<>(command());
        found.addAll(workers());
        List<String> known = found.stream()
                .filter(Culprit.FailedWorker.class::isInstance)
                .map(Culprit::node)
                .toList();
        lost().forEach(found::add);
        nodes(Cause.NodesLeaving.class, Cause.NodesLeaving::nodes).forEach(node -> found.add(left(node)));
        nodes(Cause.WorkersDone.class, Cause.WorkersDone::nodes)
                .forEach(node -> found.add(new Culprit.OfNode(What.DONE, node, Source.TOLD, DONE_TOO_EARLY)));
        until.stream()
                .filter(event -> event.is(RunEvent.NodeDraining.class))
                .map(LoggedEvent::node)
                .distinct()
                .filter(this::wasIn)
                .filter(node ->
                        found.stream().noneMatch(one -> one.node().equals(node) && one.what() == What.NODE_LEFT))
                .forEach(node -> found.add(left(node)));
        excluded().forEach(node -> found.add(new Culprit.OfNode(What.LEFT_OUT, node, Source.TOLD, whyLeftOut(node))));
        nodes(Cause.NodesFenced.class, Cause.NodesFenced::nodes).stream()
                .filter(node -> !known.contains(node))
                .forEach(node -> found.add(fenced(node)));
        joined().forEach(found::add);
        return found.stream().sorted(Comparator.comparing(Culprit::followed)).toList();
    }

    private List<Culprit> command() {
        return causes.stream().anyMatch(Cause.RestartCommanded.class::isInstance)
                ? List.of(new Culprit.OfNode(
                        What.COMMAND, coordinator(), Source.TOLD, "restart of all workers" + askedBy("restart")))
                : List.of();
    }

    // In the order of their failures; the root cause of the whole run is the first.
    private List<Culprit> workers() {
        Optional<RunEvent.Root> root = until.stream()
                .flatMap(event -> event.as(RunEvent.RunEnded.class).stream())
                .flatMap(end -> end.root().stream())
                .findFirst();
        List<Culprit> found = until.stream()
                .flatMap(event -> event.as(RunEvent.WorkerFailed.class).stream().map(one -> new Failed(event, one)))
                .sorted(Comparator.comparing((Failed one) -> !one.isRoot(root))
                        .thenComparing(one -> one.failed().collateral())
                        .thenComparing(Failed::ended))
                .map(Failed::culprit)
                .collect(Collectors.toCollection(ArrayList::new));
        until.stream()
                .filter(event -> event.is(
                        RunEvent.RunStopRequested.class, stop -> stop.worker().isPresent()))
                .findFirst()
                .ifPresent(event -> stop(event, root, found));
        return found;
    }

    private record Failed(LoggedEvent event, RunEvent.WorkerFailed failed) {

        boolean isRoot(Optional<RunEvent.Root> root) {
            RunEvent.Worker worker = failed.worker();
            return root.filter(known -> event.node().equals(known.rootNode())
                            && worker.equals(new RunEvent.Worker(known.rootSlot(), known.rootAttempt())))
                    .isPresent();
        }

        Instant ended() {
            return event.time().minusMillis(Math.max(0, failed.heldMs()));
        }

        Culprit culprit() {
            return new Culprit.FailedWorker(
                    event.node(),
                    failed.rank(),
                    failed.worker(),
                    failed.end(),
                    failed.found().how(),
                    failed.found().message(),
                    failed.collateral());
        }
    }

    // A worker that ended the run comes first; its process may have ended before its agent executed its request.
    private static void stop(LoggedEvent event, Optional<RunEvent.Root> root, List<Culprit> found) {
        RunEvent.RunStopRequested stop =
                event.as(RunEvent.RunStopRequested.class).orElseThrow();
        RunEvent.Worker worker = stop.worker().orElseThrow();
        found.removeIf(one -> one instanceof Culprit.FailedWorker failed
                && one.node().equals(event.node())
                && failed.worker().slot() == worker.slot());
        found.add(0, stopped(event.node(), worker, stop.message(), root));
    }

    private static Culprit stopped(String node, RunEvent.Worker worker, String message, Optional<RunEvent.Root> root) {
        return new Culprit.FailedWorker(
                node,
                root.map(RunEvent.Root::rootRank).orElse(-1),
                worker,
                NOT_ENDED,
                FailureKind.STOPPED_THE_RUN,
                message,
                false);
    }

    private List<Culprit> lost() {
        List<String> named = new ArrayList<>(nodes(Cause.NodesLost.class, Cause.NodesLost::nodes));
        history.before(incident).ifPresent(before -> before.nodes().stream()
                .filter(node -> !named.contains(node) && isGone(node))
                .forEach(named::add));
        return named.stream().map(this::lost).toList();
    }

    // Whether the node is confirmed dead without a cause that names it: the coordinator had another cause, or there is
    // none yet.
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
        List<LoggedEvent> proofs = proofs(node);
        if (!proofs.isEmpty()) {
            String by =
                    proofs.stream().map(LoggedEvent::node).distinct().sorted().collect(Collectors.joining(", "));
            String evidence = proofs.get(0)
                    .as(RunEvent.NodeProvedDead.class)
                    .map(RunEvent.NodeProvedDead::evidence)
                    .orElse("");
            return new Culprit.OfNode(What.NODE_LOST, node, Source.PROVED, evidence + " (seen by " + by + ")");
        }
        boolean lives = history.kind(RunEvent.NodeLost.class, node).anyMatch(this::isAround);
        return new Culprit.OfNode(
                What.NODE_LOST,
                node,
                Source.LEASE,
                lives
                        ? "its lease ran out while its agent lived: the agent, or its way to the store, stood still"
                        : "its lease ran out without a sign of life");
    }

    // Some nodes may confirm a death only after the round is there.
    private List<LoggedEvent> proofs(String node) {
        return history.kind(RunEvent.NodeProvedDead.class)
                .filter(event -> event.is(
                        RunEvent.NodeProvedDead.class, proof -> proof.dead().equals(node)))
                .filter(this::isAround)
                .toList();
    }

    private boolean isAround(LoggedEvent event) {
        long home = history.home(event);
        return home == incident || home == incident + 1;
    }

    private Culprit left(String node) {
        Optional<RunEvent.NodeDraining> draining = history.kind(RunEvent.NodeDraining.class, node)
                .flatMap(event -> event.as(RunEvent.NodeDraining.class).stream())
                .findFirst();
        String asked = askedBy("drain " + node);
        String why = !asked.isEmpty()
                ? "it was asked to leave by the command drain" + asked
                : draining.map(event ->
                                event.exitCode() == 130 ? "it was interrupted" : "it was asked to leave by a signal")
                        .orElse("its agent reported that it leaves");
        return new Culprit.OfNode(What.NODE_LEFT, node, Source.TOLD, why);
    }

    private String coordinator() {
        return history.of(incident).stream()
                .filter(event -> event.is(RunEvent.RoundDecided.class))
                .map(LoggedEvent::node)
                .findFirst()
                .orElse("");
    }

    // The origin of the newest accepted command of that text.
    private String askedBy(String command) {
        return history.all(RunEvent.CommandConsumed.class)
                .filter(event -> event.accepted() && event.command().command().equals(command))
                .reduce((earlier, later) -> later)
                .map(event -> ", asked for by " + event.command().askedBy())
                .orElse("");
    }

    private String whyLeftOut(String node) {
        Optional<String> asked = history.kind(RunEvent.NodeExcludeRequested.class, node)
                .flatMap(event -> event.as(RunEvent.NodeExcludeRequested.class).stream())
                .reduce((earlier, later) -> later)
                .map(event -> "a worker of it asked for that: " + event.message());
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
        return new Culprit.OfNode(
                What.FENCED,
                node,
                Source.LEASE,
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
                .<Culprit>map(node -> new Culprit.OfNode(What.JOINED, node, Source.TOLD, "its workers were ready"))
                .toList();
    }

    // The nodes that causes of this type name.
    private <C extends Cause> List<String> nodes(Class<C> type, Function<C, List<String>> names) {
        return of(type).flatMap(cause -> names.apply(cause).stream()).distinct().toList();
    }

    private <C extends Cause> Stream<C> of(Class<C> type) {
        return causes.stream().filter(type::isInstance).map(type::cast);
    }
}
