/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.store.Transaction.Guard;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Keys, ranges and guarded transactions. */
abstract class KeyValueContract extends StoreContract {
    @Test
    void commit_createIfAbsentTwice_secondFailsAndLeavesFirst() {
        TransactionResult first = create("a", "1");
        TransactionResult second = create("a", "2");

        assertThat(first.succeeded()).isTrue();
        assertThat(second.succeeded()).isFalse();
        KeyValue entry = only("a");
        assertThat(text(entry)).isEqualTo("1");
        assertThat(entry.createRevision()).isEqualTo(first.revision()).isEqualTo(entry.modRevision());
    }

    @Test
    void facts_whereTheStoreReportsThem_haveAVersionAndNoAlarm() {
        put("a", "1");

        assertThat(get(store().facts()).stream()).allSatisfy(facts -> {
            assertThat(facts.version()).matches("3\\.\\d+\\.\\d+.*");
            assertThat(facts.usedBytes()).isPositive().isLessThanOrEqualTo(facts.allocatedBytes());
            assertThat(facts.alarms()).isEmpty();
        });
    }

    @Test
    void commit_modRevisionGuard_holdsOnlyForTheLastWrite() {
        long created = put("a", "1");
        long changed = put("a", "2");

        assertThat(commit(new Guard.ModRevision(key("a"), created), write("a", "3"))
                        .succeeded())
                .isFalse();
        assertThat(commit(new Guard.ModRevision(key("a"), changed), write("a", "3"))
                        .succeeded())
                .isTrue();
        assertThat(text(only("a"))).isEqualTo("3");
        assertThat(only("a").createRevision()).isEqualTo(created);
    }

    @Test
    void commit_createRevisionGuard_failsOnceTheKeyWasMadeAnew() {
        long created = put("a", "1");
        put("a", "2");
        assertThat(commit(new Guard.CreateRevision(key("a"), created), write("b", "x"))
                        .succeeded())
                .isTrue();

        delete("a");
        put("a", "3");

        assertThat(commit(new Guard.CreateRevision(key("a"), created), write("b", "y"))
                        .succeeded())
                .isFalse();
        assertThat(text(only("b"))).isEqualTo("x");
    }

    @Test
    void commit_guardFails_appliesOnFailureAndReturnsItsReads() {
        put("a", "1");

        TransactionResult result = get(store().commit(new Transaction(
                List.of(new Guard.CreateRevision(key("a"), 0)),
                List.of(write("a", "2")),
                List.of(new Operation.Get(KeyRange.key(key("a"))), write("b", "seen"), read("")))));

        assertThat(result.succeeded()).isFalse();
        assertThat(result.reads()).hasSize(2);
        assertThat(text(result.reads().get(0).entries().get(0))).isEqualTo("1");
        assertThat(keys(result.reads().get(1))).containsExactly("a", "b");
        assertThat(result.reads().get(1).clusterId()).isNotZero();
    }

    @Test
    void commit_limitedRead_returnsTheFirstAndCountsAll() {
        put("a", "1");
        put("b", "2");
        put("c", "3");

        KeyValues read = read(new Operation.Get(all(), 2, 0, false));

        assertThat(keys(read)).containsExactly("a", "b");
        assertThat(read.count()).isEqualTo(3);
    }

    @Test
    void commit_readOfWhatIsNewer_returnsOnlyThatAndCountsAll() {
        put("a", "1");
        put("b", "2");
        long known = put("c", "3");
        put("b", "4");
        delete("c");

        KeyValues read = read(new Operation.Get(all(), 0, known, false));

        assertThat(keys(read)).containsExactly("b");
        assertThat(text(read.entries().get(0))).isEqualTo("4");
        assertThat(read.count()).isEqualTo(2);
    }

    @Test
    void commit_readOfWhatIsNewerWhenNothingIs_returnsNothingAndCountsAll() {
        long known = put("a", "1");

        KeyValues read = read(new Operation.Get(all(), 0, known, false));

        assertThat(read.entries()).isEmpty();
        assertThat(read.count()).isEqualTo(1);
        assertThat(read.revision()).isGreaterThanOrEqualTo(known);
    }

    @Test
    void commit_readOfKeysOnly_returnsRevisionsWithoutValues() {
        long created = put("a", "1");
        long changed = put("a", "2");

        KeyValues read = read(new Operation.Get(all(), 0, 0, true));

        assertThat(keys(read)).containsExactly("a");
        KeyValue entry = read.entries().get(0);
        assertThat(entry.value()).isEmpty();
        assertThat(entry.createRevision()).isEqualTo(created);
        assertThat(entry.modRevision()).isEqualTo(changed);
    }

    private KeyValues read(Operation.Get get) {
        return get(store().commit(new Transaction(List.of(), List.of(get), List.of())))
                .reads()
                .get(0);
    }

    @Test
    void commit_severalWrites_haveOneRevision() {
        TransactionResult result =
                get(store().commit(new Transaction(List.of(), List.of(write("a", "1"), write("b", "2")), List.of())));

        assertThat(get(store().range(all())).entries())
                .extracting(KeyValue::modRevision)
                .containsExactly(result.revision(), result.revision());
    }

    @Test
    void commit_onlyReads_leavesTheRevision() {
        long before = put("a", "1");

        TransactionResult result = get(store().commit(new Transaction(List.of(), List.of(read("")), List.of())));

        assertThat(result.revision()).isEqualTo(before);
    }

    @Test
    void range_byPrefix_isInKeyOrderWithoutNeighbours() {
        for (String name : List.of("n/10", "n/2", "n/1", "m", "n", "o")) {
            put(name, name);
        }

        assertThat(keys(get(store().range(KeyRange.prefix(key("n/")))))).containsExactly("n/1", "n/10", "n/2");
        assertThat(keys(get(store().range(new KeyRange(key("m"), key("n/2"))))))
                .containsExactly("m", "n", "n/1", "n/10");
        assertThat(keys(get(store().range(KeyRange.key(key("n")))))).containsExactly("n");
    }

    @Test
    void range_ofNothing_hasTheRevisionAndTheCluster() {
        long written = put("other", "1");

        KeyValues none = get(store().range(KeyRange.key(key("none"))));

        assertThat(none.entries()).isEmpty();
        assertThat(none.revision()).isGreaterThanOrEqualTo(written);
        assertThat(none.clusterId()).isEqualTo(get(another().range(all())).clusterId());
    }

    @Test
    void delete_ofARange_takesItAndNothingElse() {
        for (String name : List.of("n/1", "n/2", "o")) {
            put(name, name);
        }

        get(store().commit(new Transaction(
                List.of(), List.of(new Operation.Delete(KeyRange.prefix(key("n/")))), List.of())));

        assertThat(keys(get(store().range(all())))).containsExactly("o");
    }

    @Test
    void delete_ofNothing_leavesTheRevision() {
        long before = put("a", "1");

        assertThat(delete("none").revision()).isEqualTo(before);
    }

    @Test
    void value_binary_comesBackAsItWas() {
        byte[] value = new byte[256];
        for (int i = 0; i < value.length; i++) {
            value[i] = (byte) i;
        }

        get(store().commit(new Transaction(List.of(), List.of(new Operation.Put(key("a"), value, 0)), List.of())));

        assertThat(only("a").value()).isEqualTo(value);
    }

    @Test
    void value_ofOneMegabyte_comesBackAsItWas() {
        byte[] value = new byte[1 << 20];
        new Random(7).nextBytes(value);
        RecordingWatchListener listener = new RecordingWatchListener();
        long revision = put("b", "before");
        try (Watch watch = store().watch(all(), revision + 1, listener)) {
            assertThat(watch).isNotNull();
            get(store().commit(new Transaction(List.of(), List.of(new Operation.Put(key("a"), value, 0)), List.of())));

            assertThat(only("a").value()).isEqualTo(value);
            awaitEvents(listener, 1);
        }
        WatchListener.WatchEvent.Written event =
                (WatchListener.WatchEvent.Written) listener.events().get(0);
        assertThat(event.entry().value()).isEqualTo(value);
    }

    @Test
    void commit_concurrentIncrements_losesNone() {
        int clients = 4;
        int increments = 25;
        put("counter", "0");

        List<CompletableFuture<Void>> done = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            RendezvousStore client = another();
            done.add(increment(client, increments));
        }
        done.forEach(this::get);

        assertThat(text(only("counter"))).isEqualTo(Integer.toString(clients * increments));
    }

    private CompletableFuture<Void> increment(RendezvousStore client, int times) {
        if (times == 0) {
            return CompletableFuture.completedFuture(null);
        }
        return client.range(KeyRange.key(key("counter")))
                .thenCompose(read -> {
                    KeyValue entry = read.entries().get(0);
                    String next = Integer.toString(Integer.parseInt(text(entry)) + 1);
                    return client.commit(new Transaction(
                            List.of(new Guard.ModRevision(entry.key(), entry.modRevision())),
                            List.of(write("counter", next)),
                            List.of()));
                })
                .thenCompose(result -> increment(client, result.succeeded() ? times - 1 : times));
    }
}
