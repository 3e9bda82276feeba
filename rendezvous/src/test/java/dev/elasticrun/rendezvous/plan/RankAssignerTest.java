/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.NodeFixture;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class RankAssignerTest {

    @Test
    void first_hostLabels_areInNaturalOrder() {
        List<Participant> assigned = assigned(
                List.of(),
                nodes(
                        NodeFixture.of("x", 1).host("host10"),
                        NodeFixture.of("y", 2).host("host2")));

        assertThat(assigned).extracting(place -> place.spec().hostLabel()).containsExactly("host2", "host10");
    }

    @Test
    void first_wishedPlaces_comeBeforeHostLabels() {
        List<Participant> assigned = assigned(
                List.of(),
                nodes(
                        NodeFixture.of("x", 1).host("host1"),
                        NodeFixture.of("y", 2).host("host2").wishes(1),
                        NodeFixture.of("z", 3).host("host3").wishes(0)));

        assertThat(assigned).extracting(Participant::nodeId).containsExactly("z", "y", "x");
    }

    @Test
    void first_sameHost_isInJoinOrder() {
        List<Participant> assigned = assigned(
                List.of(),
                nodes(NodeFixture.of("y", 1).host("h"), NodeFixture.of("x", 2).host("h")));

        assertThat(assigned).extracting(Participant::nodeId).containsExactly("y", "x");
    }

    @Test
    void survivors_keepTheirOrderAndNewcomersComeLastInJoinOrder() {
        List<Participant> assigned = assigned(
                nodes(NodeFixture.of("c", 3), NodeFixture.of("b", 2)),
                nodes(NodeFixture.of("z", 4), NodeFixture.of("a", 5)));

        assertThat(assigned).extracting(Participant::nodeId).containsExactly("c", "b", "z", "a");
    }

    @Test
    void slots_differ_ranksAreWithoutHoles() {
        List<Participant> assigned = assigned(
                nodes(NodeFixture.of("a", 1).slots(1), NodeFixture.of("b", 2).slots(2)),
                nodes(NodeFixture.of("c", 3).slots(3)));

        assertThat(assigned).extracting(Participant::firstRank).containsExactly(0, 1, 3);
        assertThat(assigned.get(2).seats()).extracting(Participant.Seat::port).containsExactly(4000, 4001, 4002);
    }

    @Test
    void naturalOrder_anyThreeLabels_isTransitive() {
        Random random = new Random(3);
        List<String> labels =
                IntStream.range(0, 60).mapToObj(i -> label(random)).distinct().toList();
        List<String> expected = labels.stream().sorted(RankAssigner.NATURAL).toList();
        for (int i = 0; i < 50; i++) {
            List<String> shuffled = new ArrayList<>(labels);
            Collections.shuffle(shuffled, random);
            shuffled.sort(RankAssigner.NATURAL);
            for (int k = 0; k < expected.size(); k++) {
                assertThat(RankAssigner.NATURAL.compare(shuffled.get(k), expected.get(k)))
                        .isZero();
            }
        }
    }

    @Test
    void naturalOrder_hugeNumbers_areCompared() {
        assertThat(RankAssigner.NATURAL.compare("n99999999999999999999", "n100000000000000000000"))
                .isNegative();
    }

    private static String label(Random random) {
        StringBuilder label = new StringBuilder();
        int length = 1 + random.nextInt(4);
        for (int i = 0; i < length; i++) {
            label.append("a0-1b9".charAt(random.nextInt(6)));
        }
        return label.toString();
    }

    private static List<Participant> assigned(List<Node> survivors, List<Node> newcomers) {
        return RankAssigner.assign(survivors, newcomers, Round.NONE);
    }

    private static List<Node> nodes(NodeFixture... nodes) {
        return Stream.of(nodes).map(NodeFixture::node).toList();
    }
}
