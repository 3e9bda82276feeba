/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.store.Transaction.Guard;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** What the contract's suites share. Each test has keys of its own, so that all may share one store. */
@Timeout(60)
abstract class StoreContract {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final String prefix = "/contract/" + UUID.randomUUID() + "/";
    private final List<RendezvousStore> opened = new ArrayList<>();
    private RendezvousStore store;

    abstract StoreBackend backend();

    @BeforeEach
    void open() {
        store = another();
    }

    @AfterEach
    void close() {
        opened.forEach(RendezvousStore::close);
    }

    final RendezvousStore store() {
        return store;
    }

    final RendezvousStore another() {
        RendezvousStore client = backend().connect();
        opened.add(client);
        return client;
    }

    final <T> T get(CompletableFuture<T> future) {
        return backend().get(future);
    }

    final void awaitEvents(RecordingWatchListener listener, int count) {
        backend()
                .until(
                        PATIENCE,
                        () -> listener.events().size() >= count
                                || !listener.failures().isEmpty());
    }

    final void awaitFailure(RecordingWatchListener listener) {
        backend().until(PATIENCE, () -> !listener.failures().isEmpty());
    }

    final KeyRange all() {
        return KeyRange.prefix(prefix);
    }

    final String key(String name) {
        return prefix + name;
    }

    final Operation write(String name, String value) {
        return new Operation.Put(key(name), value.getBytes(UTF_8), 0);
    }

    final Operation read(String namePrefix) {
        return new Operation.Get(KeyRange.prefix(key(namePrefix)));
    }

    final TransactionResult create(String name, String value) {
        return commit(new Guard.CreateRevision(key(name), 0), write(name, value));
    }

    final TransactionResult commit(Guard guard, Operation operation) {
        return get(store.commit(new Transaction(List.of(guard), List.of(operation), List.of())));
    }

    final long put(String name, String value) {
        return get(store.commit(new Transaction(List.of(), List.of(write(name, value)), List.of())))
                .revision();
    }

    final long putLeased(String name, long lease) {
        Operation write = new Operation.Put(key(name), "leased".getBytes(UTF_8), lease);
        return get(store.commit(new Transaction(List.of(), List.of(write), List.of())))
                .revision();
    }

    final TransactionResult delete(String name) {
        return get(store.commit(
                new Transaction(List.of(), List.of(new Operation.Delete(KeyRange.key(key(name)))), List.of())));
    }

    final List<KeyValue> entries(String name) {
        return get(store.range(KeyRange.key(key(name)))).entries();
    }

    final KeyValue only(String name) {
        List<KeyValue> entries = entries(name);
        assertThat(entries).hasSize(1);
        return entries.get(0);
    }

    final List<String> keys(KeyValues values) {
        return values.entries().stream()
                .map(entry -> entry.key().substring(prefix.length()))
                .toList();
    }

    static String text(KeyValue entry) {
        return new String(entry.value(), UTF_8);
    }
}
