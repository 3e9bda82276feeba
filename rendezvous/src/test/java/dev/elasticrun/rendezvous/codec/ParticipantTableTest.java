/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.elasticrun.rendezvous.record.CorruptRecordException;
import dev.elasticrun.rendezvous.record.NodeSpec;
import dev.elasticrun.rendezvous.record.Participant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ParticipantTableTest {
    private static final int MAX_BYTES_EACH = 64;

    @Test
    void roundTrip_unlikeParticipants_areEqual() {
        List<Participant> participants = List.of(
                new Participant(
                        new NodeSpec("a", "host", "10.0.0.1", 9000, "trainer", 2), 40, 1, 0, seats(1, 4000, 4001)),
                new Participant(
                        new NodeSpec("host-0a1b2c3d", "host", "::1", 0, "trainer", 1), 39, 0, 2, seats(0, 65535)),
                new Participant(new NodeSpec("host-0A1b", "host", "", 65535, "", 300), Long.MAX_VALUE, 7, 3, List.of()),
                new Participant(new NodeSpec("", "", "gpu-7.example", 1, "r\u00f4le", 1), 1, 7, 1000, seats(7, 0)),
                new Participant(
                        new NodeSpec("-ab", "other", "gpu-7.example", 1, "r\u00f4le", 1), 1, 7, 1001, seats(7, 0)));

        assertThat(decoded(participants)).isEqualTo(participants);
    }

    @Test
    void roundTrip_slotsThatAreNotInOrder_areEqual() {
        List<Participant.Seat> seats = List.of(
                new Participant.Seat(3, 9, 4003), new Participant.Seat(0, 1, 4000), new Participant.Seat(2, 4, 4002));
        List<Participant> participants =
                List.of(new Participant(new NodeSpec("a", "host", "10.0.0.1", 9000, "trainer", 3), 40, 9, 0, seats));

        assertThat(decoded(participants)).isEqualTo(participants);
    }

    @Test
    void decode_twoWorkersInOneSlot_isCorrupt() {
        List<Participant.Seat> seats = List.of(new Participant.Seat(1, 0, 4001), new Participant.Seat(1, 0, 4001));
        List<Participant> participants =
                List.of(new Participant(new NodeSpec("a", "host", "10.0.0.1", 9000, "trainer", 2), 40, 0, 0, seats));

        assertThatThrownBy(() -> decoded(participants).get(0))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining("two workers in slot 1");
    }

    @Test
    void roundTrip_nobody_isEmpty() {
        assertThat(decoded(List.of())).isEmpty();
        assertThat(decoded(List.of()).worldSize()).isZero();
    }

    @Test
    void roundTrip_randomNames_areEqual() {
        Random random = new Random(7);
        for (int i = 0; i < 200; i++) {
            List<Participant> participants = IntStream.range(0, random.nextInt(20))
                    .mapToObj(index -> random(random))
                    .toList();

            assertThat(decoded(participants)).isEqualTo(participants);
        }
    }

    @Test
    void find_eachNode_isItsParticipant() {
        List<Participant> participants = cluster(100, 2);
        ParticipantTable table = decoded(participants);

        assertThat(participants).allMatch(participant -> table.find(participant.nodeId())
                .filter(participant::equals)
                .isPresent());
        assertThat(table.find("node-0001")).isEmpty();
        assertThat(table.worldSize()).isEqualTo(200);
    }

    @Test
    void encode_decodedTable_isTheSame() {
        ParticipantTable table = decoded(cluster(10, 1));

        assertThat(ParticipantTable.encode(table)).isEqualTo(ParticipantTable.encode(new ArrayList<>(table)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void encode_thousandNodes_staysSmall(int slots) {
        assertThat(ParticipantTable.encode(cluster(1000, slots)).getSerializedSize())
                .isLessThanOrEqualTo(1000 * MAX_BYTES_EACH);
    }

    @Test
    void find_ownPlace_isWhatASearchFinds() {
        List<Participant> participants = cluster(20, 2);
        String own = participants.get(7).nodeId();

        assertThat(new ParticipantTable(ParticipantTable.encode(participants), own).find(own))
                .contains(participants.get(7))
                .isEqualTo(decoded(participants).find(own));
        assertThat(new ParticipantTable(ParticipantTable.encode(participants), "nobody").find("nobody"))
                .isEmpty();
    }

    @Test
    void decode_columnThatEndsEarly_isRefused() {
        assertThatThrownBy(() -> new ParticipantTable(
                        ParticipantTable.encode(cluster(3, 1)).toBuilder()
                                .setAddresses(ByteString.EMPTY)
                                .build(),
                        ""))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining("ends too early");
    }

    @Test
    void decode_noise_isRefusedOrRead() {
        Random random = new Random(11);
        for (int i = 0; i < 2000; i++) {
            byte[] noise = new byte[random.nextInt(30)];
            random.nextBytes(noise);
            try {
                new ParticipantTable(
                        ParticipantTable.encode(cluster(5, 1)).toBuilder()
                                .setNodeIds(ByteString.copyFrom(noise))
                                .setSlots(ByteString.copyFrom(noise))
                                .build(),
                        "");
            } catch (CorruptRecordException refused) {
                assertThat(refused).hasMessageStartingWith("round: ");
            }
        }
    }

    private static ParticipantTable decoded(List<Participant> participants) {
        return new ParticipantTable(ParticipantTable.encode(participants), "");
    }

    /** Nodes as a cluster has them: numbered hosts, random suffixes, ports in no order. */
    private static List<Participant> cluster(int nodes, int slots) {
        Random random = new Random(nodes);
        return IntStream.range(0, nodes)
                .mapToObj(node -> {
                    String host = String.format("node-%04d", node);
                    return new Participant(
                            new NodeSpec(
                                    String.format("%s-%08x", host, random.nextInt()),
                                    host,
                                    "10.1." + node / 250 + "." + node % 250,
                                    port(random),
                                    "default",
                                    slots),
                            100 + random.nextInt(3 * nodes),
                            0,
                            node * slots,
                            IntStream.range(0, slots)
                                    .mapToObj(slot -> new Participant.Seat(slot, 0, port(random)))
                                    .toList());
                })
                .toList();
    }

    private static int port(Random random) {
        return 32_768 + random.nextInt(28_000);
    }

    private static Participant random(Random random) {
        return new Participant(
                new NodeSpec(
                        text(random),
                        text(random),
                        text(random),
                        random.nextInt(1 << 16),
                        text(random),
                        1 + random.nextInt(3)),
                random.nextLong(),
                random.nextInt(5),
                random.nextInt(100),
                IntStream.range(0, random.nextInt(3))
                        .map(index -> 3 * index + random.nextInt(3))
                        .mapToObj(slot -> new Participant.Seat(slot, random.nextInt(6), random.nextInt(1 << 16)))
                        .toList());
    }

    private static List<Participant.Seat> seats(int attempt, int... ports) {
        return IntStream.range(0, ports.length)
                .mapToObj(slot -> new Participant.Seat(slot, attempt, ports[slot]))
                .toList();
    }

    private static String text(Random random) {
        String letters = "ab-0f1\u00e9";
        return random.ints(random.nextInt(6), 0, letters.length())
                .mapToObj(index -> letters.substring(index, index + 1))
                .reduce("", String::concat);
    }
}
