/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.Command;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.terms.NodeBounds;
import dev.elasticrun.rendezvous.terms.RunSpec;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All that the planner sees of a run, as of one moment. Immutable. */
public final class Snapshot {
    private final RunSpec spec;
    private final List<Node> nodes;
    private final Map<String, Node> byId;
    private final @Nullable Round round;
    private final @Nullable Verdict verdict;
    private final List<Failure> failures;
    private final NodeBounds target;
    private final List<Command> commands;

    /**
     * @param nodes live nodes
     * @param round the newest round; null before the first
     * @param verdict set once the run has ended
     * @param failures what workers failed of, in the order in which the coordinator learnt of it
     */
    public Snapshot(
            RunSpec spec, List<Node> nodes, @Nullable Round round, @Nullable Verdict verdict, List<Failure> failures) {
        this(spec, nodes, round, verdict, failures, spec.terms().nodes(), List.of());
    }

    private Snapshot(
            RunSpec spec,
            List<Node> nodes,
            @Nullable Round round,
            @Nullable Verdict verdict,
            List<Failure> failures,
            NodeBounds target,
            List<Command> commands) {
        this.spec = spec;
        this.target = target;
        this.commands = List.copyOf(commands);
        this.nodes = nodes.stream()
                .sorted(Comparator.comparingLong(Node::createRevision).thenComparing(Node::nodeId))
                .toList();
        this.byId = new HashMap<>();
        this.nodes.forEach(node -> byId.putIfAbsent(node.nodeId(), node));
        this.round = round;
        this.verdict = verdict;
        this.failures = List.copyOf(failures);
    }

    /**
     * The same with the commands of users.
     *
     * @param newTarget how many nodes the run is to have
     * @param newCommands that no coordinator has consumed yet, in order
     */
    public Snapshot asked(NodeBounds newTarget, List<Command> newCommands) {
        return new Snapshot(spec, nodes, round, verdict, failures, newTarget, newCommands);
    }

    /** What there will be once a command is consumed. */
    Snapshot answered(Round newRound, NodeBounds newTarget) {
        return new Snapshot(spec, nodes, newRound, verdict, failures, newTarget, List.of());
    }

    RunSpec spec() {
        return spec;
    }

    NodeBounds target() {
        return target;
    }

    /** Those that no coordinator has consumed yet, in order. */
    List<Command> commands() {
        return commands;
    }

    /** The command whose turn it is. */
    Optional<Command> nextCommand() {
        return commands.stream().findFirst();
    }

    /** Live nodes in the order in which they joined. */
    public List<Node> nodes() {
        return nodes;
    }

    @Nullable
    Round round() {
        return round;
    }

    @Nullable
    Verdict verdict() {
        return verdict;
    }

    List<Failure> failures() {
        return failures;
    }

    /** Nodes that can work, now or later. */
    List<Node> usable() {
        return nodes.stream().filter(Node::usable).toList();
    }

    boolean any(NodePhase phase) {
        return nodes.stream().anyMatch(node -> node.phase() == phase);
    }

    /** Create revisions of nodes whose failure an agent confirmed. */
    Set<Long> provedDead() {
        return nodes.stream()
                .flatMap(node -> node.record().publication().provedDead().stream())
                .collect(Collectors.toSet());
    }

    Optional<Node> node(String nodeId) {
        return Optional.ofNullable(byId.get(nodeId));
    }

    /** The node behind a participant, if it is still the same registration of that node. */
    Optional<Node> node(Participant participant) {
        return node(participant.nodeId()).filter(node -> node.createRevision() == participant.createRevision());
    }
}
