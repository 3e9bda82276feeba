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
import dev.elasticrun.rendezvous.record.UsedMaster;
import dev.elasticrun.rendezvous.record.WorldChange;
import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.restart.RestartDecision;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes the documents that a plan publishes, and their texts. Pure. */
final class RoundBuilder {
    private static final int MAX_ABSENT_LEAVERS = 32;

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
        List<Participant> participants = RankAssigner.assign(survivors, newcomers, previous).stream()
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
                        StateSources.of(snapshot, previous, participants)),
                new Round.Reason(reform.causes(), change(previous, size(participants)), incident(previous)),
                orders(now, reform, false),
                ledger(now, reform, participants, false),
                0);
    }

    // A member whose record does not reach the store has sent its ports to the coordinator of the last round only: its
    // record is older than the round.
    private static Participant withKnownPorts(Participant participant, Round previous) {
        if (participant.seats().stream().noneMatch(seat -> seat.port() == 0)) {
            return participant;
        }
        List<Participant.Seat> known = previous.participant(participant.nodeId())
                .filter(place -> place.createRevision() == participant.createRevision())
                .map(Participant::seats)
                .orElse(List.of());
        return participant.withSeats(participant.seats().stream()
                .map(seat -> seat.port() != 0
                        ? seat
                        : known.stream()
                                .filter(other -> other.isOf(seat.slot(), seat.attempt()))
                                .findFirst()
                                .orElse(seat))
                .toList());
    }

    /**
     * The round after an incident that the coordinator cannot seal at once.
     *
     * @param keepFailed whether failed members stay members: under {@code hard} they are restarted like all others
     */
    static Round suspend(PlanInput now, boolean keepFailed, RestartDecision.Reform reform) {
        Snapshot snapshot = now.snapshot();
        Round previous = now.round();
        Map<String, List<Participant.Seat>> fewer = fewer(now, reform);
        Set<String> gone = new HashSet<>();
        now.memberStates().members().forEach(member -> {
            boolean stays =
                    switch (member.state()) {
                        case HEALTHY, FENCED, DONE, REPLACING -> true;
                        case FAILED ->
                            keepFailed
                                    || reform.replace().contains(member.nodeId())
                                    || fewer.containsKey(member.nodeId());
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
                .map(participant ->
                        participant.withSeats(fewer.getOrDefault(participant.nodeId(), participant.seats())))
                .toList();
        WorldChange change =
                gone.isEmpty() && fewer.isEmpty() && !shrunk(previous) ? WorldChange.NONE : WorldChange.SCALE_DOWN;
        return new Round(
                previous.number(),
                true,
                new Round.Ranks(
                        previous.world(),
                        left,
                        standbys(snapshot, left),
                        previous.master(),
                        StateSources.of(snapshot, previous, left)),
                new Round.Reason(reform.causes(), change, incident(previous)),
                orders(now, reform, true),
                ledger(now, reform, left, true),
                0);
    }

    /** Failed members that continue with fewer workers, and which those are. */
    private static Map<String, List<Participant.Seat>> fewer(PlanInput now, RestartDecision.Reform reform) {
        Round round = now.round();
        return now.memberStates().survivors().stream()
                .filter(node -> reform.continuesWithFewer(node.nodeId()))
                .collect(Collectors.toMap(Node::nodeId, node -> node.offered(round)));
    }

    /**
     * Whether a suspended round would state what the newest one does not: that it waits, for which nodes, or new
     * orders.
     */
    static boolean isNews(PlanInput now, RestartDecision.Reform reform) {
        return !now.round().suspended()
                || membersChanged(now.round(), now.memberStates())
                || !reform.restart().isEmpty()
                || !reform.regrow().isEmpty()
                || !reform.shrink().isEmpty()
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
                    && slots(before.get(i)).equals(slots(after.get(i)));
            if (!same) {
                return false;
            }
        }
        return true;
    }

    private static List<Integer> slots(Participant place) {
        return place.seats().stream().map(Participant.Seat::slot).toList();
    }

    private static WorldChange change(Round previous, int worldSize) {
        int before = previous.worldSize();
        if (previous.number() == 0 || worldSize == before) {
            return WorldChange.NONE;
        }
        return worldSize > before ? WorldChange.SCALE_UP : WorldChange.SCALE_DOWN;
    }

    private static int size(List<Participant> participants) {
        return participants.stream().mapToInt(Participant::size).sum();
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
    private static List<Order> orders(PlanInput now, RestartDecision.Reform reform, boolean keepReplace) {
        Snapshot snapshot = now.snapshot();
        Round previous = now.round();
        Map<String, Participant> places = previous.places();
        List<Order> orders = new ArrayList<>();
        for (Node node : snapshot.nodes()) {
            int generation = generation(node, places.get(node.nodeId()));
            if (reform.restart().contains(node.nodeId())) {
                orders.add(new Order(node.nodeId(), Order.Kind.RESTART, generation));
            } else if (reform.replace().contains(node.nodeId())) {
                orders.add(new Order(node.nodeId(), Order.Kind.REPLACE, generation));
            } else if (reform.regrow().contains(node.nodeId()) && isToStartAgain(node, places, previous)) {
                // Until it has, its record may be one from before the failure.
                orders.add(new Order(
                        node.nodeId(), Order.Kind.REPLACE, node.record().generation()));
            } else if (reform.shrink().contains(node.nodeId())) {
                orders.add(new Order(node.nodeId(), Order.Kind.SHRINK, generation));
            } else if (reform.leave().contains(node.nodeId())) {
                orders.add(new Order(node.nodeId(), Order.Kind.LEAVE, generation));
            } else {
                previous.order(node.nodeId())
                        .filter(order -> order.kind().isForGood()
                                || order.generation() >= node.record().generation()
                                || previous.awaitsFreshWorkersOf(node.record(), now.elasticWorkers())
                                || (keepReplace && previous.suspended() && order.kind() == Order.Kind.REPLACE))
                        .ifPresent(orders::add);
            }
        }
        // A node that was ordered to leave and is away now may come back without having read the order; one that does
        // without workers comes back without them; one that backs off is not charged for another start.
        previous.orders().stream()
                .filter(order -> order.kind().isForGood() || order.kind() == Order.Kind.START)
                .filter(order -> snapshot.node(order.nodeId()).isEmpty())
                .limit(MAX_ABSENT_LEAVERS)
                .forEach(orders::add);
        return orders;
    }

    private static boolean isToStartAgain(Node node, Map<String, Participant> places, Round previous) {
        Participant place = places.get(node.nodeId());
        return place != null && !node.continuesIn(previous, place) && !node.hasReplaced(place);
    }

    // A failed group that the round names may be followed by a fresh one already. The group of a member that works is
    // its
    // newest, which may have got workers since the round was sealed.
    private static int generation(Node node, @Nullable Participant place) {
        int newest = node.record().generation();
        return place == null || !node.failed(place) ? newest : place.generation();
    }

    private static Round.Ledger ledger(
            PlanInput now, RestartDecision.Reform reform, List<Participant> next, boolean suspended) {
        Round previous = now.round();
        RunVersion checkpoint = now.snapshot().nodes().stream()
                .map(node -> node.record().checkpoint().run())
                .reduce(previous.checkpoint(), RunVersion::orNewer);
        return new Round.Ledger(
                now.snapshot().spec().terms().restarts().charged(previous.used(), reform.charge()),
                previous.lastCommand(),
                checkpoint,
                HistoryBuilder.of(now, next, suspended),
                usedMasters(
                        now,
                        suspended
                                ? Optional.empty()
                                : now.snapshot().node(next.get(0).nodeId())));
    }

    /** @param first whose endpoint the round uses; empty when it uses no new one */
    private static List<UsedMaster> usedMasters(PlanInput now, Optional<Node> first) {
        Set<Long> others = now.snapshot().nodes().stream()
                .map(Node::createRevision)
                .filter(revision ->
                        first.filter(node -> node.createRevision() == revision).isEmpty())
                .collect(Collectors.toSet());
        List<UsedMaster> used = new ArrayList<>();
        now.round().usedMasters().stream()
                .filter(known -> others.contains(known.createRevision()))
                .forEach(used::add);
        first.map(UsedMaster::of).ifPresent(used::add);
        return used;
    }

    /** A suspended round and the one that ends the wait belong to one incident. */
    private static long incident(Round previous) {
        return previous.suspended() ? previous.incident() : previous.incident() + 1;
    }
}
