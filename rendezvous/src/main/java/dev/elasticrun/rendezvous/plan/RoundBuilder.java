/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.MasterEndpoint;
import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.Order;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunVersion;
import dev.elasticrun.rendezvous.record.StateSource;
import dev.elasticrun.rendezvous.record.WorldChange;
import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.restart.RestartDecision;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Makes the documents that a plan publishes, and their texts. Pure. */
final class RoundBuilder {
    private static final int MAX_ABSENT_LEAVERS = 32;
    private static final int MAX_SOURCES = 4;

    private RoundBuilder() {}

    static Round first(PlanInput now, List<Node> wanted) {
        return seal(now, List.of(), wanted, unchanged(List.of(new Cause.Started(wanted.size()))));
    }

    /** A round that restarts, replaces and charges nothing. */
    static RestartDecision.Reform unchanged(List<Cause> causes) {
        return new RestartDecision.Reform(Set.of(), Set.of(), Set.of(), 0, causes);
    }

    static Round seal(PlanInput now, List<Node> survivors, List<Node> newcomers, RestartDecision.Reform reform) {
        Snapshot snapshot = now.snapshot();
        Round previous = now.round();
        List<Participant> participants = RankAssigner.assign(survivors, newcomers).stream()
                .map(participant -> withKnownPorts(participant, previous))
                .toList();
        String firstNode = participants.get(0).nodeId();
        NodeRecord first = snapshot.node(firstNode).orElseThrow().record();
        long number = previous.number() + 1;
        return new Round(
                number,
                false,
                new Round.Ranks(
                        !shrunk(previous) && sameMap(previous.participants(), participants) ? previous.world() : number,
                        participants,
                        standbys(snapshot, participants),
                        new MasterEndpoint(first.spec().address(), first.group().masterPort()),
                        sources(snapshot, previous, participants)),
                new Round.Reason(reform.causes(), change(previous, size(participants)), incident(previous)),
                orders(snapshot, previous, reform, false),
                ledger(now, reform, participants, false),
                0);
    }

    // A member whose record does not reach the store has sent its ports to the coordinator of the last round only: its
    // record is older than the round.
    private static Participant withKnownPorts(Participant participant, Round previous) {
        if (!participant.workerPorts().contains(0)) {
            return participant;
        }
        return previous.participants().stream()
                .filter(known -> known.nodeId().equals(participant.nodeId())
                        && known.createRevision() == participant.createRevision()
                        && known.generation() == participant.generation())
                .findFirst()
                .map(known -> known.withFirstRank(participant.firstRank()))
                .orElse(participant);
    }

    /**
     * The round after an incident that the coordinator cannot seal at once.
     *
     * @param keepFailed whether failed members stay members: under {@code hard} they are restarted like all others
     */
    static Round suspend(PlanInput now, boolean keepFailed, RestartDecision.Reform reform) {
        Snapshot snapshot = now.snapshot();
        Round previous = now.round();
        Set<String> gone = new HashSet<>();
        now.memberStates().members().forEach(member -> {
            boolean stays =
                    switch (member.state()) {
                        case HEALTHY, FENCED, DONE, REPLACING -> true;
                        case FAILED -> keepFailed || reform.replace().contains(member.nodeId());
                        case LOST, LEAVING, EXCLUDED -> false;
                    };
            boolean sentAway =
                    reform.restart().contains(member.nodeId()) || reform.leave().contains(member.nodeId());
            if (!stays || sentAway) {
                gone.add(member.nodeId());
            }
        });
        List<Participant> left = previous.participants().stream()
                .filter(participant -> !gone.contains(participant.nodeId()))
                .toList();
        WorldChange change = gone.isEmpty() && !shrunk(previous) ? WorldChange.NONE : WorldChange.SCALE_DOWN;
        return new Round(
                previous.number(),
                true,
                new Round.Ranks(previous.world(), left, standbys(snapshot, left), previous.master(), List.of()),
                new Round.Reason(reform.causes(), change, incident(previous)),
                orders(snapshot, previous, reform, true),
                ledger(now, reform, left, true),
                0);
    }

    /**
     * Whether a suspended round would state what the newest one does not: that it waits, for which nodes, or new
     * orders.
     */
    static boolean isNews(PlanInput now, RestartDecision.Reform reform) {
        return !now.round().suspended()
                || membersChanged(now.round(), now.memberStates())
                || !reform.restart().isEmpty()
                || !reform.leave().isEmpty();
    }

    /** Whether members left a suspended round since it was published. */
    private static boolean membersChanged(Round suspended, MemberStates memberStates) {
        long left = memberStates.members().stream()
                .filter(member -> switch (member.state()) {
                    case HEALTHY, FENCED, DONE, REPLACING -> true;
                    case FAILED, LOST, LEAVING, EXCLUDED -> false;
                })
                .count();
        return left != suspended.participants().size();
    }

    /**
     * The nodes from which the round can get a newer checkpoint than its members have, so that it does not go back behind
     * what a live agent serves.
     */
    private static List<StateSource> sources(Snapshot snapshot, Round previous, List<Participant> participants) {
        Set<String> placed = participants.stream().map(Participant::nodeId).collect(Collectors.toSet());
        RunVersion own = snapshot.nodes().stream()
                .filter(node -> placed.contains(node.nodeId()))
                .map(node -> node.record().checkpoint())
                .reduce(RunVersion.NONE, RunVersion::orNewer);
        Set<String> before = previous.participants().stream()
                .map(Participant::nodeId)
                .collect(Collectors.toCollection(HashSet::new));
        previous.history().absences().forEach(absence -> before.add(absence.nodeId()));
        previous.ranks().sources().stream()
                .filter(StateSource::wasMember)
                .forEach(source -> before.add(source.nodeId()));
        return snapshot.nodes().stream()
                .filter(node -> !placed.contains(node.nodeId()))
                .map(node -> new StateSource(
                        node.nodeId(),
                        node.record().spec().address(),
                        node.record().spec().controlPort(),
                        node.record().checkpoint(),
                        before.contains(node.nodeId())))
                .filter(source -> source.wasMember() || source.isAheadOf(own))
                .sorted(Comparator.comparing(StateSource::held).reversed())
                .limit(MAX_SOURCES)
                .toList();
    }

    /** Whether members left since the round was sealed, so that their ranks are free. */
    private static boolean shrunk(Round round) {
        return round.suspended() && round.change() == WorldChange.SCALE_DOWN;
    }

    private static boolean sameMap(List<Participant> before, List<Participant> after) {
        if (before.size() != after.size()) {
            return false;
        }
        for (int i = 0; i < before.size(); i++) {
            boolean same = before.get(i).nodeId().equals(after.get(i).nodeId())
                    && before.get(i).slots() == after.get(i).slots();
            if (!same) {
                return false;
            }
        }
        return true;
    }

    private static WorldChange change(Round previous, int worldSize) {
        int before = previous.worldSize();
        if (previous.number() == 0 || worldSize == before) {
            return WorldChange.NONE;
        }
        return worldSize > before ? WorldChange.SCALE_UP : WorldChange.SCALE_DOWN;
    }

    private static int size(List<Participant> participants) {
        return participants.stream().mapToInt(Participant::slots).sum();
    }

    private static List<String> standbys(Snapshot snapshot, List<Participant> participants) {
        Set<String> placed = participants.stream().map(Participant::nodeId).collect(Collectors.toSet());
        return snapshot.nodes().stream()
                .filter(node -> node.phase() == NodePhase.READY || node.phase() == NodePhase.STANDBY)
                .map(Node::nodeId)
                .filter(nodeId -> !placed.contains(nodeId))
                .toList();
    }

    // New orders, and those that their nodes have not obeyed yet. With keepReplace orders to replace stay all the same:
    // they show which nodes are on the way back.
    private static List<Order> orders(
            Snapshot snapshot, Round previous, RestartDecision.Reform reform, boolean keepReplace) {
        Map<String, Integer> generations = previous.participants().stream()
                .collect(Collectors.toMap(Participant::nodeId, Participant::generation, (first, second) -> first));
        List<Order> orders = new ArrayList<>();
        for (Node node : snapshot.nodes()) {
            int generation =
                    generations.getOrDefault(node.nodeId(), node.record().generation());
            if (reform.restart().contains(node.nodeId())) {
                orders.add(new Order(node.nodeId(), Order.Kind.RESTART, generation));
            } else if (reform.replace().contains(node.nodeId())) {
                orders.add(new Order(node.nodeId(), Order.Kind.REPLACE, generation));
            } else if (reform.leave().contains(node.nodeId())) {
                orders.add(new Order(node.nodeId(), Order.Kind.LEAVE, generation));
            } else {
                previous.order(node.nodeId())
                        .filter(order -> order.kind().isLast()
                                || order.generation() >= node.record().generation()
                                || (keepReplace && previous.suspended() && order.kind() == Order.Kind.REPLACE))
                        .ifPresent(orders::add);
            }
        }
        // A node that was ordered to leave and is away now may come back without having read the order.
        previous.orders().stream()
                .filter(order -> order.kind().isLast())
                .filter(order -> snapshot.node(order.nodeId()).isEmpty())
                .limit(MAX_ABSENT_LEAVERS)
                .forEach(orders::add);
        return orders;
    }

    private static Round.Ledger ledger(
            PlanInput now, RestartDecision.Reform reform, List<Participant> next, boolean suspended) {
        Round previous = now.round();
        RunVersion checkpoint = now.snapshot().nodes().stream()
                .map(node -> node.record().checkpoint())
                .reduce(previous.checkpoint(), RunVersion::orNewer);
        return new Round.Ledger(
                previous.budgetUsed() + reform.charge(),
                previous.lastCommand(),
                checkpoint,
                HistoryBuilder.of(now, next, suspended));
    }

    /** A suspended round and the one that ends the wait belong to one incident. */
    private static long incident(Round previous) {
        return previous.suspended() ? previous.incident() : previous.incident() + 1;
    }
}
