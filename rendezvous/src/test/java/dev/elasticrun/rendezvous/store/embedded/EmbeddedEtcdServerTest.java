/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.elasticrun.rendezvous.store.CallProof;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.StoreException;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import dev.elasticrun.rendezvous.store.etcd.EtcdStore;
import dev.elasticrun.rendezvous.store.etcd.EtcdStoreConfig;
import dev.elasticrun.rendezvous.store.etcd.StoreLogin;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class EmbeddedEtcdServerTest {
    private static final Transaction WRITE =
            new Transaction(List.of(), List.of(new Operation.Put("/a", "1".getBytes(UTF_8), 0)), List.of());

    @Test
    void start_portTaken_reportsWhichAndWhy() {
        try (EmbeddedEtcdServer first = EmbeddedEtcdServer.start("127.0.0.1", 0, null)) {
            assertThatThrownBy(() -> EmbeddedEtcdServer.start("127.0.0.1", first.port(), null))
                    .isInstanceOf(StoreException.class)
                    .hasMessage("cannot listen on 127.0.0.1:" + first.port() + ": address already in use");
        }
    }

    @Test
    void start_afterClose_getsThePortAndIsAnotherCluster() throws Exception {
        EmbeddedEtcdServer first = EmbeddedEtcdServer.start("127.0.0.1", 0, "secret");
        long firstCluster = clusterOf(first);
        first.close();
        first.close();

        try (EmbeddedEtcdServer second = EmbeddedEtcdServer.start("127.0.0.1", first.port(), "secret")) {
            assertThat(clusterOf(second)).isNotEqualTo(firstCluster);
        }
    }

    @Test
    void start_onAllInterfacesWithoutToken_isRefused() {
        assertThatThrownBy(() -> EmbeddedEtcdServer.start("0.0.0.0", 0, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0.0.0.0");
    }

    @Test
    void start_onAllInterfacesWithToken_isReachableFromThisHost() throws Exception {
        try (EmbeddedEtcdServer server = EmbeddedEtcdServer.start("0.0.0.0", 0, "secret")) {
            assertThat(server.endpoint()).isEqualTo("127.0.0.1:" + server.port());
            assertThat(clusterOf(server)).isPositive();
        }
    }

    @Test
    void calls_withoutOrWithAWrongSecret_areRefusedAndReadsToo() throws Exception {
        try (EmbeddedEtcdServer server = EmbeddedEtcdServer.start("127.0.0.1", 0, "secret");
                RendezvousStore owner = connect(server, "secret");
                RendezvousStore stranger = connect(server, "wrong");
                RendezvousStore reader = connect(server, null)) {
            long lease = owner.grantLease(Duration.ofSeconds(30)).get(10, TimeUnit.SECONDS);
            owner.commit(WRITE).get(10, TimeUnit.SECONDS);

            for (RendezvousStore other : List.of(stranger, reader)) {
                assertWritesRefused(other, lease);
                assertRefused(other.range(KeyRange.key("/a")));
            }
            assertThat(owner.renewLease(lease).get(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void reads_whereTheyAreOpen_needNoSecretAndWritesDo() throws Exception {
        StoreAccess access = new StoreAccess("secret", true);
        try (EmbeddedEtcdServer server = EmbeddedEtcdServer.start(
                        "127.0.0.1",
                        0,
                        access,
                        null,
                        new EmbeddedEtcdServer.Listening(NioServerSocketChannel::new, new ConnectionGate(), true));
                RendezvousStore owner = connect(server, "secret");
                RendezvousStore reader = connect(server, null)) {
            long lease = owner.grantLease(Duration.ofSeconds(30)).get(10, TimeUnit.SECONDS);
            owner.commit(WRITE).get(10, TimeUnit.SECONDS);

            assertWritesRefused(reader, lease);
            assertThat(reader.range(KeyRange.key("/a"))
                            .get(10, TimeUnit.SECONDS)
                            .entries())
                    .hasSize(1);
            Transaction look = new Transaction(List.of(), List.of(new Operation.Get(KeyRange.key("/a"))), List.of());
            assertThat(reader.commit(look).get(10, TimeUnit.SECONDS).reads()).hasSize(1);
        }
    }

    /** Who stands between a caller and the store may pass its call on, but not with another request. */
    @Test
    void proofOfOneRequest_withAnother_isRefused() {
        try (EmbeddedEtcdServer server = EmbeddedEtcdServer.start("127.0.0.1", 0, "secret")) {
            ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", server.port())
                    .usePlaintext()
                    .build();
            try {
                String answer = AuthGrpc.newBlockingStub(channel)
                        .authenticate(AuthenticateRequest.newBuilder()
                                .setName("elastic-run")
                                .setPassword("asked")
                                .build())
                        .getToken();
                String nonce = CallProof.nonce("secret", "asked", answer).orElseThrow();
                PutRequest meant = put("/a", "meant");
                Metadata headers = new Metadata();
                String method = KVGrpc.getPutMethod().getFullMethodName();
                headers.put(
                        Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER),
                        CallProof.of("secret", nonce, 1, method, meant.toByteArray())
                                .text());
                KVGrpc.KVBlockingStub relay = KVGrpc.newBlockingStub(channel)
                        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));

                assertThatThrownBy(() -> relay.put(put("/a", "forged"))).hasMessageContaining("UNAUTHENTICATED");
                assertThat(relay.put(meant).hasHeader()).isTrue();
            } finally {
                channel.shutdownNow();
            }
        }
    }

    private static PutRequest put(String key, String value) {
        return PutRequest.newBuilder()
                .setKey(ByteString.copyFromUtf8(key))
                .setValue(ByteString.copyFromUtf8(value))
                .build();
    }

    private static void assertWritesRefused(RendezvousStore store, long lease) {
        assertRefused(store.commit(WRITE));
        assertRefused(store.grantLease(Duration.ofSeconds(5)));
        assertRefused(store.renewLease(lease));
        assertRefused(store.revokeLease(lease));
    }

    private static void assertRefused(CompletableFuture<?> call) {
        assertThatThrownBy(() -> call.get(10, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("UNAUTHENTICATED")
                .hasMessageContaining("proof of the run key");
    }

    private static long clusterOf(EmbeddedEtcdServer server) throws Exception {
        try (RendezvousStore store = connect(server, "secret")) {
            return store.range(KeyRange.key("/a")).get(10, TimeUnit.SECONDS).clusterId();
        }
    }

    private static RendezvousStore connect(EmbeddedEtcdServer server, @Nullable String token) {
        RendezvousStore store = EtcdStore.connect(EtcdStoreConfig.of(List.of(server.endpoint()))
                .withLogin(token == null ? null : new StoreLogin.Secret(token)));
        await().until(() -> isAnswered(store.range(KeyRange.key("/a"))));
        return store;
    }

    /** A first call may take longer than its deadline: it loads the client. */
    private static boolean isAnswered(CompletableFuture<?> call) throws Exception {
        try {
            call.get(10, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException e) {
            return String.valueOf(e.getMessage()).contains("UNAUTHENTICATED");
        }
    }
}
