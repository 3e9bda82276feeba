/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Order;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.PeerLost;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.GroupView;
import dev.elasticrun.rendezvous.restart.MemberState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How the nodes of a run stand to its round.
 *
 * @param members the round's nodes and their states, in rank order
 * @param survivors members that can continue, in rank order; under a policy of elastic workers also FAILED ones
 * @param newcomers live nodes outside the round that can be put into one, in join order; members of a round that is
 *     started over come first
 * @param preparing live nodes outside the round that are not ready yet
 * @param done nodes whose workers all ended well: they count towards the minimum and get no rank
 * @param brokenLinks whether a member reports a lost peer in this round
 */
record MemberStates(
        List<GroupView.Member> members,
        List<Node> survivors,
        List<Node> newcomers,
        List<Node> preparing,
        List<Node> done,
        boolean brokenLinks) {

    private static final Set<NodePhase> ADMISSIBLE = EnumSet.of(NodePhase.READY, NodePhase.STANDBY);

    /**
     * @param leftOut nodes that the next round is to be without
     * @param elasticWorkers whether the policy has workers replaced one by one
     */
    static MemberStates of(Snapshot snapshot, Round round, Set<String> leftOut, boolean elasticWorkers) {
        List<GroupView.Member> members = new ArrayList<>();
        List<Node> survivors = new ArrayList<>();
        Set<String> inside = new HashSet<>();
        Set<String> doubted = doubted(snapshot, round);
        boolean brokenLinks = false;
        for (Participant participant : round.participants()) {
            Optional<Node> node = snapshot.node(participant);
            MemberState state = node.map(found -> state(found, participant, round, leftOut))
                    .map(found -> found == MemberState.HEALTHY && doubted.contains(participant.nodeId())
                            ? MemberState.FENCED
                            : found)
                    .orElse(MemberState.LOST);
            boolean failed = state == MemberState.FAILED;
            boolean collateral = failed
                    && (node.orElseThrow().onlyCollateral(participant)
                            || node.orElseThrow().neverRan(participant));
            int continuing = failed ? node.orElseThrow().continuing() : 0;
            members.add(new GroupView.Member(participant.nodeId(), state, collateral, continuing));
            node.ifPresent(found -> inside.add(found.nodeId()));
            if (failed && node.orElseThrow().continuesIn(round, participant)) {
                survivors.add(node.orElseThrow());
            }
            if (state == MemberState.HEALTHY || state == MemberState.FENCED) {
                survivors.add(node.orElseThrow());
                brokenLinks |= node.orElseThrow().record().reports().peersLost().stream()
                        .anyMatch(lost -> lost.round() == round.number() && !lost.isDoubt());
            }
        }
        List<Node> outside = snapshot.nodes().stream()
                .filter(node -> !inside.contains(node.nodeId()))
                .toList();
        return new MemberStates(
                List.copyOf(members),
                List.copyOf(survivors),
                outside.stream()
                        .filter(node -> ADMISSIBLE.contains(node.phase())
                                && !round.sendsAway(node.nodeId())
                                && !round.awaitsFreshWorkersOf(node.record(), elasticWorkers))
                        .sorted(Comparator.comparing(node -> !round.startsOver(node.nodeId())))
                        .toList(),
                outside.stream()
                        .filter(node -> node.phase() == NodePhase.STARTING)
                        .toList(),
                snapshot.nodes().stream()
                        .filter(node -> node.phase() == NodePhase.DONE)
                        .toList(),
                brokenLinks && !round.suspended());
    }

    // Members whose lease was in doubt for a moment, so that their workers closed all links, while the lease of a peer
    // was not: the peer reports them as lost, and waits for another round than this one. If all were in doubt together,
    // no peer does.
    private static Set<String> doubted(Snapshot snapshot, Round round) {
        Set<Integer> missed = new HashSet<>();
        Set<String> doubted = new HashSet<>();
        for (Participant participant : round.participants()) {
            List<PeerLost> reports = snapshot.node(participant)
                    .map(node -> node.record().reports().peersLost())
                    .orElse(List.of());
            for (PeerLost lost : reports) {
                if (lost.round() != round.number()) {
                    continue;
                }
                if (lost.isDoubt()) {
                    doubted.add(participant.nodeId());
                } else {
                    missed.add(lost.lostRank());
                }
            }
        }
        if (doubted.isEmpty() || missed.isEmpty()) {
            return Set.of();
        }
        return round.participants().stream()
                .filter(place -> doubted.contains(place.nodeId()))
                .filter(place -> missed.stream().anyMatch(place::hasRank))
                .map(Participant::nodeId)
                .collect(Collectors.toSet());
    }

    MemberStates withNewcomers(List<Node> others) {
        return new MemberStates(members, survivors, List.copyOf(others), preparing, done, brokenLinks);
    }

    /** Whether the policy has to be asked at once: something other than a broken link or a newcomer. */
    boolean urgent() {
        return members.stream().anyMatch(member -> switch (member.state()) {
            case HEALTHY, DONE -> false;
            case FAILED, REPLACING, LOST, LEAVING, FENCED, EXCLUDED -> true;
        });
    }

    /** Whether workers failed, and nothing that is known is the cause. */
    boolean onlyCollateral() {
        return members.stream().allMatch(member -> switch (member.state()) {
                    case HEALTHY, REPLACING, DONE -> true;
                    case FAILED -> member.collateral();
                    case LOST, LEAVING, FENCED, EXCLUDED -> false;
                })
                && any(MemberState.FAILED);
    }

    boolean all(MemberState state) {
        return !members.isEmpty() && members.stream().allMatch(member -> member.state() == state);
    }

    /** Node ids of the members in a state, in rank order. */
    List<String> in(MemberState state) {
        return members.stream()
                .filter(member -> member.state() == state)
                .map(GroupView.Member::nodeId)
                .toList();
    }

    boolean any(MemberState state) {
        return members.stream().anyMatch(member -> member.state() == state);
    }

    /**
     * Node ids of the working members beyond {@code maxNodes}, which the finished nodes count towards: the last to
     * join.
     */
    Set<String> surplus(Round round, int maxNodes) {
        Set<String> working = survivors.stream().map(Node::nodeId).collect(Collectors.toCollection(HashSet::new));
        working.addAll(in(MemberState.REPLACING));
        int over = working.size() - Math.max(1, maxNodes - done.size());
        return over <= 0
                ? Set.of()
                : round.participants().stream()
                        .filter(place -> working.contains(place.nodeId()))
                        .sorted(Comparator.comparingLong(Participant::createRevision)
                                .reversed())
                        .limit(over)
                        .map(Participant::nodeId)
                        .collect(Collectors.toSet());
    }

    /** Workers of members that have no rank in the round and could be given one. */
    int returning(Round round) {
        Map<String, Participant> places = round.places();
        return survivors.stream()
                .mapToInt(node -> Optional.ofNullable(places.get(node.nodeId()))
                        .map(place -> node.returning(place, round))
                        .orElse(0))
                .sum();
    }

    /** Whether each worker that a member still has a slot for could be given a rank. */
    boolean whole(Round round) {
        Map<String, Participant> places = round.places();
        return survivors.stream()
                .allMatch(node -> node.offered(round, Optional.ofNullable(places.get(node.nodeId())))
                                        .size()
                                == node.record().spec().slots()
                        || round.shrinks(node.nodeId()));
    }

    /** Newcomers for which there is room beside the survivors and the finished. */
    List<Node> admitted(int maxNodes) {
        int room = Math.max(
                0, maxNodes - survivors.size() - in(MemberState.REPLACING).size() - done.size());
        return newcomers.subList(0, Math.min(room, newcomers.size()));
    }

    private static MemberState state(Node node, Participant participant, Round round, Set<String> leftOut) {
        if (node.usable() && round.drains(node.nodeId())) {
            return MemberState.LEAVING;
        }
        if (node.usable() && (leftOut.contains(node.nodeId()) || node.excluded(round))) {
            return MemberState.EXCLUDED;
        }
        return switch (node.phase()) {
            case DONE -> MemberState.DONE;
            // A record from before the node was given this place states nothing about its workers in it.
            case BACKING_OFF -> node.isOlderThan(participant) ? MemberState.HEALTHY : MemberState.LEAVING;
            case DRAINING, BROKEN -> MemberState.LEAVING;
            case FENCED -> node.failed(participant) ? MemberState.FAILED : doubt(node, round);
            case STARTING, READY, ACTIVE, STANDBY -> stateOfWorkers(node, participant, round);
        };
    }

    // Until it has seen this round, FENCED is about one before, and this round is the answer.
    private static MemberState doubt(Node node, Round round) {
        return node.record().rounds().acknowledged() >= round.number() ? MemberState.FENCED : MemberState.HEALTHY;
    }

    private static MemberState stateOfWorkers(Node node, Participant participant, Round round) {
        Optional<Order> replace =
                round.order(node.nodeId()).filter(order -> round.suspended() && order.kind() == Order.Kind.REPLACE);
        if (replace.isPresent()) {
            int generation = node.record().generation();
            boolean ready =
                    generation > replace.get().generation() && node.phase() != NodePhase.STARTING && !node.failed();
            return ready ? MemberState.HEALTHY : MemberState.REPLACING;
        }
        return node.failed(participant) ? MemberState.FAILED : MemberState.HEALTHY;
    }
}
