/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.rendezvous.store.EtcdCluster;
import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.rendezvous.store.EtcdUpkeep;
import dev.elasticrun.rendezvous.store.IndeterminateWriteException;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValues;
import dev.elasticrun.rendezvous.store.RecordingWatchListener;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.StoreException;
import dev.elasticrun.rendezvous.store.StoreRelay;
import dev.elasticrun.rendezvous.store.StoreReplacedException;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import dev.elasticrun.rendezvous.store.TransactionResult;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What callers see while a real etcd is away, silent or elsewhere. */
@Tag("once")
@Timeout(60)
final class EtcdStoreIT {
    private static final Duration DEADLINE = Duration.ofSeconds(1);

    private static final Duration SLACK = Duration.ofSeconds(1);
    private static final KeyRange ALL = KeyRange.prefix("/outage/");

    @TempDir
    Path directory;

    private final List<AutoCloseable> opened = new ArrayList<>();

    /** The first call of a process loads the client, which may take longer than the deadline on a busy machine. */
    @BeforeAll
    static void loadTheClient(@TempDir Path data) throws Exception {
        try (EtcdProcess etcd = EtcdProcess.start(data.resolve("etcd"));
                RendezvousStore store = EtcdStore.connect(
                        EtcdStoreConfig.of(List.of(etcd.endpoint())).withCallDeadline(Duration.ofSeconds(30)))) {
            put(store, "first").get(30, TimeUnit.SECONDS);
        }
    }

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    @Test
    void kill_andRestart_failsCallsInTimeThenServesTheSameData() throws Exception {
        EtcdProcess etcd = etcd();
        RendezvousStore store = store(etcd.endpoint());
        long lease = store.grantLease(Duration.ofSeconds(30)).get(10, TimeUnit.SECONDS);
        TransactionResult written = put(store, "before").get(10, TimeUnit.SECONDS);
        assertThat(store.renewLease(lease).get(10, TimeUnit.SECONDS)).isTrue();
        RecordingWatchListener listener = new RecordingWatchListener();
        store.watch(ALL, written.revision() + 1, listener);

        etcd.kill();

        listener.awaitFailure(Duration.ofSeconds(2));
        for (int i = 0; i < 5; i++) {
            assertThat(failure(put(store, "lost"), etcd.endpoint())).isInstanceOf(StoreException.class);
            failure(store.range(ALL), etcd.endpoint());
            failure(store.renewLease(lease), etcd.endpoint());
        }

        etcd.restart();

        KeyValues after = awaitAnswer(store, Duration.ofMillis(1_500));
        assertThat(after.entries()).hasSize(1);
        assertThat(after.revision()).isGreaterThanOrEqualTo(written.revision());
        assertThat(store.renewLease(lease).get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(listener.failures()).hasSize(1);
    }

    @Test
    void kill_longOutage_doesNotSlowTheReturn() throws Exception {
        EtcdProcess etcd = etcd();
        RendezvousStore store = store(etcd.endpoint());
        put(store, "before").get(10, TimeUnit.SECONDS);

        etcd.kill();
        long startNanos = System.nanoTime();
        await().pollInterval(Duration.ofMillis(200))
                .atMost(Duration.ofSeconds(20))
                .until(() -> {
                    failure(store.range(ALL), etcd.endpoint());
                    return System.nanoTime() - startNanos
                            > Duration.ofSeconds(5).toNanos();
                });
        etcd.restart();

        assertThat(awaitAnswer(store, Duration.ofMillis(1_500)).entries()).hasSize(1);
    }

    @Test
    void freeze_whileWriting_isIndeterminateAtTheDeadline() throws Exception {
        EtcdProcess etcd = etcd();
        RendezvousStore store = store(etcd.endpoint());
        long lease = store.grantLease(Duration.ofSeconds(30)).get(10, TimeUnit.SECONDS);
        TransactionResult written = put(store, "before").get(10, TimeUnit.SECONDS);
        RecordingWatchListener listener = new RecordingWatchListener();
        store.watch(ALL, written.revision() + 1, listener);
        assertThat(store.renewLease(lease).get(10, TimeUnit.SECONDS)).isTrue();

        etcd.pause();

        assertThat(failure(put(store, "during"), etcd.endpoint())).isInstanceOf(IndeterminateWriteException.class);
        assertThat(failure(store.renewLease(lease), etcd.endpoint())).isExactlyInstanceOf(StoreException.class);
        assertThat(failure(store.range(ALL), etcd.endpoint())).isExactlyInstanceOf(StoreException.class);
        listener.awaitFailure(Duration.ofSeconds(5));

        etcd.resume();

        assertThat(awaitAnswer(store, Duration.ofMillis(1_500)).entries()).isNotEmpty();
        assertThat(store.renewLease(lease).get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void connect_refused_namesEndpointAndTimeAndHasWrittenNothing() throws Exception {
        String nobody = "127.0.0.1:" + closedPort();
        RendezvousStore store = store(nobody);

        StoreException failure = failure(put(store, "x"), nobody);

        assertThat(failure).isExactlyInstanceOf(StoreException.class);
        assertThat(failure).hasMessageContaining("transaction on").hasMessageMatching("(?s).* after \\d+ ms.*");
        failure(store.renewLease(1), nobody);
        failure(store.grantLease(Duration.ofSeconds(3)), nobody);
        RecordingWatchListener listener = new RecordingWatchListener();
        store.watch(ALL, 1, listener);
        listener.awaitFailure(Duration.ofSeconds(2));
        assertThat(listener.failures().get(0)).hasMessageContaining(nobody);
    }

    @Test
    void connect_toAMuteServer_endsAtTheDeadlineAndHasWrittenNothing() throws Exception {
        try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String endpoint = "127.0.0.1:" + mute.getLocalPort();
            RendezvousStore store = store(endpoint);

            assertThat(failure(put(store, "x"), endpoint)).isExactlyInstanceOf(StoreException.class);
            assertThat(failure(store.renewLease(1), endpoint)).isExactlyInstanceOf(StoreException.class);
        }
    }

    @Test
    void endpoints_firstIsDead_usesTheSecondAfterTwoFailures() throws Exception {
        EtcdProcess etcd = etcd();
        String nobody = "127.0.0.1:" + closedPort();
        RendezvousStore store = store(nobody, etcd.endpoint());

        failure(store.range(ALL), nobody);
        failure(store.range(ALL), nobody);

        assertThat(store.range(ALL).get(10, TimeUnit.SECONDS).entries()).isEmpty();
        put(store, "x").get(10, TimeUnit.SECONDS);
        long lease = store.grantLease(Duration.ofSeconds(5)).get(10, TimeUnit.SECONDS);
        assertThat(store.renewLease(lease).get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void endpoints_memberFreezes_movesTheWatchToTheNext() throws Exception {
        EtcdCluster cluster = EtcdCluster.start(directory.resolve("cluster"));
        opened.add(cluster);
        int frozen = (cluster.leader() + 1) % 3;
        String endpoint = cluster.endpoints().get(frozen);
        RendezvousStore store = store(endpoint, cluster.endpoints().get((frozen + 1) % 3));
        KeyValues before = store.range(ALL).get(10, TimeUnit.SECONDS);
        RecordingWatchListener listener = new RecordingWatchListener();
        store.watch(ALL, 1, listener);

        cluster.member(frozen).pause();
        failure(store.range(ALL), endpoint);
        failure(store.range(ALL), endpoint);

        listener.awaitFailure(Duration.ofSeconds(2));
        assertThat(awaitAnswer(store, Duration.ofSeconds(2)).clusterId()).isEqualTo(before.clusterId());
    }

    @Test
    void endpoints_ofTwoClusters_endsTheStoreForGood() throws Exception {
        EtcdProcess first = etcd();
        EtcdProcess second = etcd();
        RendezvousStore store = store(first.endpoint(), second.endpoint());
        long lease = store.grantLease(Duration.ofSeconds(5)).get(10, TimeUnit.SECONDS);

        first.kill();
        failure(store.range(ALL), first.endpoint());
        failure(store.range(ALL), first.endpoint());

        assertThat(failure(store.range(ALL), second.endpoint()))
                .isInstanceOf(StoreReplacedException.class)
                .hasMessageContaining("another store answers at " + second.endpoint());
        assertThat(failure(put(store, "x"), second.endpoint())).isInstanceOf(StoreReplacedException.class);
        assertThat(failure(store.renewLease(lease), second.endpoint())).isInstanceOf(StoreReplacedException.class);
    }

    @Test
    void relay_answersLost_writeIsIndeterminateAndDone() throws Exception {
        EtcdProcess etcd = etcd();
        StoreRelay relay = StoreRelay.to(etcd.endpoint());
        opened.add(relay);
        RendezvousStore store = store(relay.endpoint());
        store.range(ALL).get(10, TimeUnit.SECONDS);

        relay.holdAnswers(true);

        assertThat(failure(put(store, "done"), relay.endpoint())).isInstanceOf(IndeterminateWriteException.class);
        assertThat(store(etcd.endpoint()).range(ALL).get(10, TimeUnit.SECONDS).entries())
                .hasSize(1);
    }

    @Test
    void relay_requestsLost_writeIsIndeterminateAndNotDone() throws Exception {
        EtcdProcess etcd = etcd();
        StoreRelay relay = StoreRelay.to(etcd.endpoint());
        opened.add(relay);
        RendezvousStore store = store(relay.endpoint());
        store.range(ALL).get(10, TimeUnit.SECONDS);

        relay.holdRequests(true);

        assertThat(failure(put(store, "not done"), relay.endpoint())).isInstanceOf(IndeterminateWriteException.class);
        assertThat(store(etcd.endpoint()).range(ALL).get(10, TimeUnit.SECONDS).entries())
                .isEmpty();
    }

    @Test
    void watch_fromARevisionThatWasCompacted_failsAndReportsIt() throws Exception {
        EtcdProcess etcd = etcd();
        RendezvousStore store = store(etcd.endpoint());
        long revision = put(store, "1").get(10, TimeUnit.SECONDS).revision();
        put(store, "2").get(10, TimeUnit.SECONDS);
        put(store, "3").get(10, TimeUnit.SECONDS);
        EtcdUpkeep.compact(etcd);
        RecordingWatchListener listener = new RecordingWatchListener();

        store.watch(ALL, revision, listener);

        listener.awaitFailure(Duration.ofSeconds(5));
        assertThat(listener.failures().get(0)).hasMessageContaining("compacted");
    }

    private EtcdProcess etcd() {
        EtcdProcess etcd = EtcdProcess.start(directory.resolve("etcd-" + opened.size()));
        opened.add(etcd);
        return etcd;
    }

    private RendezvousStore store(String... endpoints) {
        EtcdStoreConfig config = EtcdStoreConfig.of(List.of(endpoints)).withCallDeadline(DEADLINE);
        RendezvousStore store = EtcdStore.connect(config);
        opened.add(store);
        return store;
    }

    private static CompletableFuture<TransactionResult> put(RendezvousStore store, String value) {
        Operation write = new Operation.Put("/outage/a", value.getBytes(UTF_8), 0);
        return store.commit(new Transaction(List.of(), List.of(write), List.of()));
    }

    /** The failure of a call that must end in time and name where it failed. */
    private static StoreException failure(CompletableFuture<?> call, String endpoint) throws Exception {
        try {
            Object result = call.get(DEADLINE.plus(SLACK).toMillis(), TimeUnit.MILLISECONDS);
            throw new AssertionError("expected a failure, got " + result);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StoreException failure) {
                assertThat(failure).hasMessageContaining(endpoint);
                return failure;
            }
            throw e;
        }
    }

    private static KeyValues awaitAnswer(RendezvousStore store, Duration within) {
        List<KeyValues> answers = new CopyOnWriteArrayList<>();
        await().atMost(within).pollInterval(Duration.ofMillis(50)).until(() -> {
            store.range(ALL).thenAccept(answers::add);
            return !answers.isEmpty();
        });
        return answers.get(0);
    }

    private static int closedPort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
