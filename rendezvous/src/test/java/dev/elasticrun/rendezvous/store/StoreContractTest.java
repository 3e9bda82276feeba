/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.rendezvous.store.Transaction.Guard;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every {@link RendezvousStore} promises. Each test has keys of its own, so that all may share one server. */
@Timeout(60)
public abstract class StoreContractTest {
    /** The shortest that etcd grants. */
    private static final Duration SHORT_LEASE = Duration.ofSeconds(2);

    private final String prefix = "/contract/" + UUID.randomUUID() + "/";
    private final List<RendezvousStore> opened = new ArrayList<>();
    private RendezvousStore store;

    /** A new client of the store under test. */
    protected abstract RendezvousStore connect();

    @BeforeEach
    void open() {
        store = another();
    }

    @AfterEach
    void close() {
        opened.forEach(RendezvousStore::close);
    }

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

        TransactionResult result = get(store.commit(new Transaction(
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
    void commit_severalWrites_haveOneRevision() {
        TransactionResult result =
                get(store.commit(new Transaction(List.of(), List.of(write("a", "1"), write("b", "2")), List.of())));

        assertThat(get(store.range(KeyRange.prefix(prefix))).entries())
                .extracting(KeyValue::modRevision)
                .containsExactly(result.revision(), result.revision());
    }

    @Test
    void commit_onlyReads_leavesTheRevision() {
        long before = put("a", "1");

        TransactionResult result = get(store.commit(new Transaction(List.of(), List.of(read("")), List.of())));

        assertThat(result.revision()).isEqualTo(before);
    }

    @Test
    void commit_sameKeyTwice_isRefusedAndWritesNothing() {
        Transaction twice = new Transaction(List.of(), List.of(write("a", "1"), write("a", "2")), List.of());

        assertThatThrownBy(() -> get(store.commit(twice)))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessageContaining("duplicate key");
        assertThat(entries("a")).isEmpty();
    }

    @Test
    void range_byPrefix_isInKeyOrderWithoutNeighbours() {
        for (String name : List.of("n/10", "n/2", "n/1", "m", "n", "o")) {
            put(name, name);
        }

        assertThat(keys(get(store.range(KeyRange.prefix(key("n/")))))).containsExactly("n/1", "n/10", "n/2");
        assertThat(keys(get(store.range(new KeyRange(key("m"), key("n/2")))))).containsExactly("m", "n", "n/1", "n/10");
        assertThat(keys(get(store.range(KeyRange.key(key("n")))))).containsExactly("n");
    }

    @Test
    void range_ofNothing_hasTheRevisionAndTheCluster() {
        long written = put("other", "1");

        KeyValues none = get(store.range(KeyRange.key(key("none"))));

        assertThat(none.entries()).isEmpty();
        assertThat(none.revision()).isGreaterThanOrEqualTo(written);
        assertThat(none.clusterId())
                .isEqualTo(get(another().range(KeyRange.prefix(prefix))).clusterId());
    }

    @Test
    void delete_ofARange_takesItAndNothingElse() {
        for (String name : List.of("n/1", "n/2", "o")) {
            put(name, name);
        }

        get(store.commit(
                new Transaction(List.of(), List.of(new Operation.Delete(KeyRange.prefix(key("n/")))), List.of())));

        assertThat(keys(get(store.range(KeyRange.prefix(prefix))))).containsExactly("o");
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

        get(store.commit(new Transaction(List.of(), List.of(new Operation.Put(key("a"), value, 0)), List.of())));

        assertThat(only("a").value()).isEqualTo(value);
    }

    @Test
    void value_ofOneMegabyte_comesBackAsItWas() {
        byte[] value = new byte[1 << 20];
        new Random(7).nextBytes(value);
        RecordingWatchListener listener = new RecordingWatchListener();
        long revision = put("b", "before");
        try (Watch watch = store.watch(KeyRange.prefix(prefix), revision + 1, listener)) {
            assertThat(watch).isNotNull();
            get(store.commit(new Transaction(List.of(), List.of(new Operation.Put(key("a"), value, 0)), List.of())));

            assertThat(only("a").value()).isEqualTo(value);
            listener.awaitEvents(1);
        }
        WatchListener.WatchEvent.Written event =
                (WatchListener.WatchEvent.Written) listener.events().get(0);
        assertThat(event.entry().value()).isEqualTo(value);
    }

    @Test
    void value_tooLarge_isRefusedAndWritesNothing() {
        byte[] value = new byte[2 << 20];
        Transaction large = new Transaction(List.of(), List.of(new Operation.Put(key("a"), value, 0)), List.of());

        assertThatThrownBy(() -> get(store.commit(large)))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessageContaining("large");
        assertThat(entries("a")).isEmpty();
    }

    @Test
    void commit_concurrentIncrements_losesNone() throws Exception {
        int clients = 4;
        int increments = 25;
        put("counter", "0");

        List<CompletableFuture<Void>> done = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            RendezvousStore client = another();
            done.add(increment(client, increments));
        }
        CompletableFuture.allOf(done.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);

        assertThat(text(only("counter"))).isEqualTo(Integer.toString(clients * increments));
    }

    @Test
    void lease_ofABoundKey_isShownAndMayBeDropped() {
        long lease = get(store.grantLease(SHORT_LEASE));
        putLeased("a", lease);
        assertThat(only("a").leaseId()).isEqualTo(lease);

        put("a", "free");
        get(store.revokeLease(lease));

        assertThat(only("a").leaseId()).isZero();
    }

    @Test
    void lease_notRenewed_takesItsKeysWithIt() {
        RecordingWatchListener listener = new RecordingWatchListener();
        long lease = get(store.grantLease(SHORT_LEASE));
        putLeased("a", lease);
        long revision = putLeased("b", lease);
        put("free", "1");
        long grantedNanos = System.nanoTime();

        try (Watch watch = store.watch(KeyRange.prefix(prefix), revision + 2, listener)) {
            assertThat(watch).isNotNull();
            listener.awaitEvents(2);
        }

        assertThat(System.nanoTime() - grantedNanos)
                .isGreaterThan(SHORT_LEASE.dividedBy(2).toNanos());
        assertThat(listener.shown()).containsExactly("-" + key("a"), "-" + key("b"));
        assertThat(listener.revisions()).hasSize(1);
        assertThat(keys(get(store.range(KeyRange.prefix(prefix))))).containsExactly("free");
        assertThat(get(store.renewLease(lease))).isFalse();
        assertThatThrownBy(() -> putLeased("c", lease))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessageContaining("lease not found");
    }

    @Test
    void lease_renewed_livesOn() {
        long lease = get(store.grantLease(SHORT_LEASE));
        putLeased("a", lease);
        long startNanos = System.nanoTime();

        await().pollInterval(Duration.ofMillis(300))
                .atMost(Duration.ofSeconds(20))
                .until(() -> {
                    assertThat(get(store.renewLease(lease))).isTrue();
                    return System.nanoTime() - startNanos
                            > SHORT_LEASE.multipliedBy(2).toNanos();
                });

        assertThat(only("a").leaseId()).isEqualTo(lease);
        get(store.revokeLease(lease));
    }

    @Test
    void lease_revoked_takesItsKeysAtOnce() {
        long lease = get(store.grantLease(Duration.ofSeconds(60)));
        putLeased("a", lease);

        get(store.revokeLease(lease));

        assertThat(entries("a")).isEmpty();
        assertThat(get(store.renewLease(lease))).isFalse();
        get(store.revokeLease(lease));
    }

    @Test
    void lease_unknown_isNotRenewed() {
        assertThat(get(store.renewLease(0x7777_7777_7777L))).isFalse();
        assertThat(get(store.renewLease(0x7777_7777_7778L))).isFalse();
    }

    @Test
    void lease_manyRenewalsAtOnce_answersEach() {
        List<Long> leases = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            leases.add(get(store.grantLease(Duration.ofSeconds(30))));
        }
        get(store.revokeLease(leases.get(7)));

        List<CompletableFuture<Boolean>> renewals =
                leases.stream().map(store::renewLease).toList();

        for (int i = 0; i < leases.size(); i++) {
            assertThat(get(renewals.get(i))).isEqualTo(i != 7);
        }
        leases.forEach(lease -> get(store.revokeLease(lease)));
    }

    @Test
    void watch_fromAnOldRevision_tellsHistoryThenNews() {
        long first = put("a", "1");
        put("a", "2");
        delete("a");
        RecordingWatchListener listener = new RecordingWatchListener();

        try (Watch watch = store.watch(KeyRange.prefix(prefix), first, listener)) {
            assertThat(watch).isNotNull();
            listener.awaitEvents(3);
            put("b", "3");
            listener.awaitEvents(4);
        }

        String a = key("a");
        assertThat(listener.shown()).containsExactly("+" + a + "=1", "+" + a + "=2", "-" + a, "+" + key("b") + "=3");
        assertThat(listener.revisions()).isSorted();
    }

    @Test
    void watch_fromAFutureRevision_skipsWhatIsBefore() {
        RecordingWatchListener listener = new RecordingWatchListener();
        long now = put("a", "0");

        try (Watch watch = store.watch(KeyRange.prefix(prefix), now + 3, listener)) {
            assertThat(watch).isNotNull();
            put("a", "1");
            put("a", "2");
            put("a", "3");
            listener.awaitEvents(1);
        }

        assertThat(listener.shown()).containsExactly("+" + key("a") + "=3");
    }

    @Test
    void watch_ofOneKey_ignoresOthers() {
        RecordingWatchListener listener = new RecordingWatchListener();
        long from = put("a", "0") + 1;

        try (Watch watch = store.watch(KeyRange.key(key("a")), from, listener)) {
            assertThat(watch).isNotNull();
            put("aa", "no");
            put("b", "no");
            long lease = get(store.grantLease(SHORT_LEASE));
            putLeased("a", lease);
            get(store.revokeLease(lease));
            listener.awaitEvents(2);
        }

        assertThat(listener.shown()).containsExactly("+" + key("a") + "=leased", "-" + key("a"));
    }

    @Test
    void watch_underLoad_keepsOrderAndLosesNothing() {
        int writes = 300;
        RecordingWatchListener listener = new RecordingWatchListener();
        long from = put("start", "0") + 1;

        try (Watch watch = another().watch(KeyRange.prefix(prefix), from, listener)) {
            assertThat(watch).isNotNull();
            List<CompletableFuture<TransactionResult>> results = new ArrayList<>();
            for (int i = 0; i < writes; i++) {
                results.add(store.commit(
                        new Transaction(List.of(), List.of(write("k" + i % 7, Integer.toString(i))), List.of())));
            }
            results.forEach(StoreContractTest::get);
            listener.awaitEvents(writes);
        }

        List<Long> revisions = listener.events().stream()
                .map(event -> ((WatchListener.WatchEvent.Written) event).entry().modRevision())
                .toList();
        assertThat(revisions).hasSize(writes).isSorted().doesNotHaveDuplicates();
        assertThat(listener.failures()).isEmpty();
    }

    @Test
    void watch_closed_tellsNothingMore() {
        RecordingWatchListener closed = new RecordingWatchListener();
        RecordingWatchListener open = new RecordingWatchListener();
        long from = put("a", "0") + 1;

        store.watch(KeyRange.prefix(prefix), from, closed).close();
        try (Watch watch = store.watch(KeyRange.prefix(prefix), from, open)) {
            assertThat(watch).isNotNull();
            put("a", "1");
            open.awaitEvents(1);
        }

        assertThat(closed.events()).isEmpty();
        assertThat(closed.failures()).isEmpty();
    }

    @Test
    void close_withWorkUnderWay_endsIt() {
        RendezvousStore client = another();
        RecordingWatchListener listener = new RecordingWatchListener();
        client.watch(
                KeyRange.prefix(prefix),
                get(client.range(KeyRange.prefix(prefix))).revision() + 1,
                listener);

        client.close();
        client.close();

        listener.awaitFailure(Duration.ofSeconds(5));
        assertThatThrownBy(() -> get(client.range(KeyRange.prefix(prefix))))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> get(client.renewLease(1)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("closed");
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

    private RendezvousStore another() {
        RendezvousStore client = connect();
        opened.add(client);
        return client;
    }

    private String key(String name) {
        return prefix + name;
    }

    private Operation write(String name, String value) {
        return new Operation.Put(key(name), value.getBytes(UTF_8), 0);
    }

    private Operation read(String namePrefix) {
        return new Operation.Get(KeyRange.prefix(key(namePrefix)));
    }

    private TransactionResult create(String name, String value) {
        return commit(new Guard.CreateRevision(key(name), 0), write(name, value));
    }

    private TransactionResult commit(Guard guard, Operation operation) {
        return get(store.commit(new Transaction(List.of(guard), List.of(operation), List.of())));
    }

    private long put(String name, String value) {
        return get(store.commit(new Transaction(List.of(), List.of(write(name, value)), List.of())))
                .revision();
    }

    private long putLeased(String name, long lease) {
        Operation write = new Operation.Put(key(name), "leased".getBytes(UTF_8), lease);
        return get(store.commit(new Transaction(List.of(), List.of(write), List.of())))
                .revision();
    }

    private TransactionResult delete(String name) {
        return get(store.commit(
                new Transaction(List.of(), List.of(new Operation.Delete(KeyRange.key(key(name)))), List.of())));
    }

    private List<KeyValue> entries(String name) {
        return get(store.range(KeyRange.key(key(name)))).entries();
    }

    private KeyValue only(String name) {
        List<KeyValue> entries = entries(name);
        assertThat(entries).hasSize(1);
        return entries.get(0);
    }

    private List<String> keys(KeyValues values) {
        return values.entries().stream()
                .map(entry -> entry.key().substring(prefix.length()))
                .toList();
    }

    private static String text(KeyValue entry) {
        return new String(entry.value(), UTF_8);
    }

    /** The result, or the store's own exception. */
    protected static <T> T get(CompletableFuture<T> future) {
        try {
            return future.get(20, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StoreException cause) {
                throw cause;
            }
            throw new CompletionException(e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("no answer within 20 s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
