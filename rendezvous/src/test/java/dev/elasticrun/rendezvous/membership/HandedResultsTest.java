/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.membership;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.rendezvous.codec.RecordCodec;
import dev.elasticrun.rendezvous.codec.RunKeys;
import dev.elasticrun.rendezvous.record.CorruptRecordException;
import dev.elasticrun.rendezvous.record.HandedResult;
import dev.elasticrun.rendezvous.record.MasterEndpoint;
import dev.elasticrun.rendezvous.record.NodeSpec;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.sim.SimulatedLoop;
import dev.elasticrun.rendezvous.sim.SimulatedStore;
import dev.elasticrun.rendezvous.sim.SimulatedTime;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import dev.elasticrun.rendezvous.view.RunStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class HandedResultsTest {
    private static final RunKeys KEYS = RunKeys.of("run");

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedStore cluster = new SimulatedStore(time, new Random(1));
    private final SimulatedLoop loop = new SimulatedLoop(time);
    private final RendezvousStore store = cluster.connect(loop);
    private final HandedResults results = new HandedResults(new RunStore(store, loop, KEYS));

    @Test
    void read_ofTwoNodes_isByRankOfTheNewestRound() {
        register("a");
        register("b");
        round(node("b", 0, seat(1, 0), seat(0, 3)), node("a", 2, seat(0, 0)));
        hand("a", 0, result(0, "of a"));
        hand("b", 0, result(3, "of b 0"));
        hand("b", 1, HandedResult.refused(0, "too large"));

        assertThat(get(results.read()))
                .containsOnlyKeys(0, 1, 2)
                .containsEntry(0, HandedResult.refused(0, "too large"))
                .containsEntry(1, result(3, "of b 0"))
                .containsEntry(2, result(0, "of a"));
    }

    @Test
    void read_workerThatWasReplaced_isNoResult() {
        register("a");
        round(node("a", 0, seat(0, 1), seat(1, 0)));
        hand("a", 0, result(0, "of the one before"));

        assertThat(get(results.read())).isEmpty();
    }

    @Test
    void read_moreThanAPage_findsAll() {
        register("a");
        List<Participant.Seat> seats =
                IntStream.range(0, 70).mapToObj(slot -> seat(slot, 0)).toList();
        round(node("a", 0, seats.toArray(Participant.Seat[]::new)));
        seats.forEach(seat -> hand("a", seat.slot(), result(0, "of " + seat.slot())));

        assertThat(get(results.read())).hasSize(70).containsEntry(69, result(0, "of 69"));
    }

    @Test
    void read_noRoundYet_isEmpty() {
        assertThat(get(results.read())).isEmpty();
    }

    @Test
    void read_damaged_namesTheKey() {
        round(node("a", 0, seat(0, 0)));
        put(KEYS.handed("a", 0), new byte[] {1, 2, 3});

        assertThatThrownBy(() -> get(results.read()))
                .hasCauseInstanceOf(CorruptRecordException.class)
                .hasMessageContaining(KEYS.handed("a", 0));
    }

    @Test
    void write_nodeThatIsNotRegisteredAnyMore_writesNothing() {
        long created = register("a");

        assertThat(get(results.write("a", created + 1, 0, result(0, "late"), "i", 0)))
                .isFalse();
        assertThat(get(results.write("b", created, 0, result(0, "unknown"), "i", 0)))
                .isFalse();

        assertThat(cluster.names()).doesNotContain(KEYS.handed("a", 0), KEYS.handed("b", 0));
    }

    private static HandedResult result(int attempt, String text) {
        return HandedResult.of(attempt, text.getBytes(UTF_8));
    }

    private void hand(String nodeId, int slot, HandedResult result) {
        long created = Objects.requireNonNull(cluster.get(KEYS.node(nodeId))).createRevision();
        assertThat(get(results.write(nodeId, created, slot, result, "i", 0))).isTrue();
    }

    private long register(String nodeId) {
        put(KEYS.node(nodeId), new byte[] {1});
        return Objects.requireNonNull(cluster.get(KEYS.node(nodeId))).createRevision();
    }

    private static Participant.Seat seat(int slot, int attempt) {
        return new Participant.Seat(slot, attempt, 0);
    }

    private static Participant node(String nodeId, int firstRank, Participant.Seat... seats) {
        return new Participant(
                new NodeSpec(nodeId, "host", "127.0.0.1", 1, "worker", seats.length), 1, 0, firstRank, List.of(seats));
    }

    private void round(Participant... participants) {
        Round round = new Round(
                1,
                false,
                new Round.Ranks(
                        1, new ArrayList<>(List.of(participants)), List.of(), new MasterEndpoint("", 0), List.of()),
                Round.NONE.reason(),
                List.of(),
                Round.NONE.ledger(),
                0);
        put(KEYS.round(), RecordCodec.encode(round, "i"));
    }

    private void put(String key, byte[] value) {
        get(store.commit(new Transaction(List.of(), List.of(new Operation.Put(key, value, 0)), List.of())));
    }

    private <T> T get(CompletableFuture<T> future) {
        while (!future.isDone()) {
            assertThat(time.step(Long.MAX_VALUE)).isTrue();
        }
        return future.join();
    }
}
