/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.tls;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.fuzz.FuzzBytes;
import dev.elasticrun.rendezvous.fuzz.FuzzHttp;
import dev.elasticrun.rendezvous.fuzz.FuzzRun;
import dev.elasticrun.rendezvous.fuzz.FuzzSource;
import dev.elasticrun.rendezvous.fuzz.Recording;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import dev.elasticrun.rendezvous.store.embedded.ConnectionGate;
import dev.elasticrun.rendezvous.store.embedded.EmbeddedEtcdServer;
import dev.elasticrun.rendezvous.store.embedded.StoreAccess;
import dev.elasticrun.rendezvous.store.etcd.EtcdStore;
import dev.elasticrun.rendezvous.store.etcd.EtcdStoreConfig;
import dev.elasticrun.rendezvous.store.etcd.StoreLogin;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Strangers at an embedded store, opened as agents open it: it refuses them, and keeps what it has. */
@Tag("once")
@Timeout(value = 1, unit = TimeUnit.HOURS)
final class StoreFuzzTest {
    private static final byte[] KEY = "0123456789abcdef".getBytes(UTF_8);
    private static final Transaction WRITE =
            new Transaction(List.of(), List.of(new Operation.Put("/kept", "1".getBytes(UTF_8), 0)), List.of());
    private static final Transaction OVERWRITE =
            new Transaction(List.of(), List.of(new Operation.Put("/kept", "2".getBytes(UTF_8), 0)), List.of());

    @Test
    void strangers_inPlainText_areRefusedAndTheRunIsServed() throws Exception {
        play(null);
    }

    @Test
    void strangers_beforeTls_areRefusedAndTheRunIsServed() throws Exception {
        RunTls tls = RunTls.generated("demo", "node-1", List.of("localhost", "127.0.0.1"));
        tls.known(KEY);
        play(tls);
    }

    private static void play(@Nullable RunTls tls) throws Exception {
        ConnectionGate gate = new ConnectionGate();
        Queue<String> refused = new ConcurrentLinkedQueue<>();
        AtomicLong refusedCalls = new AtomicLong();
        try (EmbeddedEtcdServer server = EmbeddedEtcdServer.start(
                "127.0.0.1",
                0,
                StoreAccess.of("secret"),
                tls == null ? null : tls.server(),
                new EmbeddedEtcdServer.Listening(
                        HandshakeWatch.channels(gate::admit, (protocol, from, why) -> note(refused, protocol)),
                        gate,
                        true,
                        (method, from) -> refusedCalls.incrementAndGet()))) {
            int port = server.port();
            commit(port, "secret", tls, WRITE);
            FuzzSource source = FuzzSource.oneOf(
                    FuzzBytes::noise,
                    FuzzHttp::frames,
                    FuzzHttp.requests(List.of("/", "/etcdserverpb.KV/Range", "/v3/kv/range")),
                    FuzzBytes.mutationsOf(Recording.of(port, relay -> commit(relay, "secret", tls, WRITE))),
                    FuzzBytes.mutationsOf(Recording.of(port, relay -> commit(relay, "wrong", tls, OVERWRITE))));

            if (tls == null) {
                int inputs = FuzzRun.play(port, source, () -> requireKept(port, tls));
                // Few: a caller with another secret sees that it is not its store, and asks for nothing.
                assertThat(refusedCalls.get()).isBetween(inputs / 1000L, 2L * inputs);
            } else {
                FuzzRun.playBeforeTls(port, source, () -> requireKept(port, tls));
            }

            assertThat(refused).containsExactly(tls == null ? "HTTP/2" : "TLS");
        }
    }

    /** As an agent it reports the first ones only. */
    private static void note(Queue<String> refused, String protocol) {
        if (refused.isEmpty()) {
            refused.add(protocol);
        }
    }

    private static EtcdStore connect(int port, String secret, @Nullable RunTls tls) {
        return EtcdStore.connect(EtcdStoreConfig.of(List.of("127.0.0.1:" + port))
                .withLogin(new StoreLogin.Secret(secret))
                .withTls(tls == null ? null : tls.client())
                .withCallDeadline(Duration.ofSeconds(15)));
    }

    private static void commit(int port, String secret, @Nullable RunTls tls, Transaction write) throws Exception {
        try (EtcdStore store = connect(port, secret, tls)) {
            store.commit(write).get(10, TimeUnit.SECONDS);
        }
    }

    private static void requireKept(int port, @Nullable RunTls tls) throws Exception {
        try (EtcdStore store = connect(port, "secret", tls)) {
            assertThat(store.range(KeyRange.key("/kept"))
                            .get(10, TimeUnit.SECONDS)
                            .entries())
                    .singleElement()
                    .satisfies(entry -> assertThat(entry.value()).isEqualTo("1".getBytes(UTF_8)));
        }
    }
}
