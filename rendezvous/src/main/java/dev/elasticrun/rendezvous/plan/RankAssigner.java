/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which ranks nodes get: survivors keep their order, newcomers come last in the order in which they joined. */
final class RankAssigner {
    private static final Pattern CHUNK = Pattern.compile("\\d+|\\D+");
    /** {@code host2} before {@code host10}. */
    static final Comparator<String> NATURAL = RankAssigner::compareNaturally;

    private RankAssigner() {}

    /**
     * Participants in rank order.
     *
     * @param survivors members of the last round that continue, in rank order
     * @param newcomers in join order; the first round has only newcomers, and they are ordered by the place that they
     *     wished for, then by host label
     * @param last the last round
     */
    static List<Participant> assign(List<Node> survivors, List<Node> newcomers, Round last) {
        List<Node> ordered = new ArrayList<>(survivors);
        if (survivors.isEmpty()) {
            newcomers.stream()
                    .sorted(Comparator.comparingInt(RankAssigner::wishedPlace)
                            .thenComparing(node -> node.record().spec().hostLabel(), NATURAL)
                            .thenComparingLong(Node::createRevision))
                    .forEach(ordered::add);
        } else {
            ordered.addAll(newcomers);
        }
        Map<String, Participant> before = last.places();
        List<Participant> participants = new ArrayList<>();
        int rank = 0;
        for (Node node : ordered) {
            Optional<Participant> place = Optional.ofNullable(before.get(node.nodeId()));
            // Its record may be from before it had that place.
            int generation = place.filter(node::isOlderThan)
                    .map(Participant::generation)
                    .orElse(node.record().generation());
            Participant participant = new Participant(
                    node.record().spec(), node.createRevision(), generation, rank, node.offered(last, place));
            participants.add(participant);
            rank = participant.endRank();
        }
        return participants;
    }

    private static int wishedPlace(Node node) {
        int wished = node.record().reports().wishedPlace();
        return wished == NodeRecord.Reports.ANY_PLACE ? Integer.MAX_VALUE : wished;
    }

    private static int compareNaturally(String left, String right) {
        Matcher leftChunks = CHUNK.matcher(left);
        Matcher rightChunks = CHUNK.matcher(right);
        while (leftChunks.find()) {
            if (!rightChunks.find()) {
                return 1;
            }
            int order = compareChunks(leftChunks.group(), rightChunks.group());
            if (order != 0) {
                return order;
            }
        }
        return rightChunks.find() ? -1 : 0;
    }

    private static int compareChunks(String left, String right) {
        if (Character.isDigit(left.charAt(0)) && Character.isDigit(right.charAt(0))) {
            return new BigInteger(left).compareTo(new BigInteger(right));
        }
        return left.compareTo(right);
    }
}
