/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.StoreException;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import dev.elasticrun.rendezvous.store.etcd.EtcdStore;
import dev.elasticrun.rendezvous.store.etcd.EtcdStoreConfig;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class EmbeddedEtcdServerTest {
    private static final Transaction WRITE =
            new Transaction(List.of(), List.of(new Operation.Put("/a", "1".getBytes(UTF_8), 0)), List.of());

    @Test
    void start_portTaken_saysWhichAndWhy() {
        try (EmbeddedEtcdServer first = EmbeddedEtcdServer.start("127.0.0.1", 0, null)) {
            assertThatThrownBy(() -> EmbeddedEtcdServer.start("127.0.0.1", first.port(), null))
                    .isInstanceOf(StoreException.class)
                    .hasMessage("cannot listen on 127.0.0.1:" + first.port() + ": address already in use");
        }
    }

    @Test
    void start_afterClose_getsThePortAndIsAnotherCluster() throws Exception {
        EmbeddedEtcdServer first = EmbeddedEtcdServer.start("127.0.0.1", 0, null);
        long firstCluster = clusterOf(first);
        first.close();
        first.close();

        try (EmbeddedEtcdServer second = EmbeddedEtcdServer.start("127.0.0.1", first.port(), null)) {
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
    void writes_withoutOrWithAWrongToken_areRefusedAndReadsAreNot() throws Exception {
        try (EmbeddedEtcdServer server = EmbeddedEtcdServer.start("127.0.0.1", 0, "secret");
                RendezvousStore owner = connect(server, "secret");
                RendezvousStore stranger = connect(server, "wrong");
                RendezvousStore reader = connect(server, null)) {
            long lease = owner.grantLease(Duration.ofSeconds(30)).get(10, TimeUnit.SECONDS);
            owner.commit(WRITE).get(10, TimeUnit.SECONDS);

            for (RendezvousStore other : List.of(stranger, reader)) {
                assertRefused(other.commit(WRITE));
                assertRefused(other.grantLease(Duration.ofSeconds(5)));
                assertRefused(other.renewLease(lease));
                assertRefused(other.revokeLease(lease));
                assertThat(other.range(KeyRange.key("/a"))
                                .get(10, TimeUnit.SECONDS)
                                .entries())
                        .hasSize(1);
                Transaction look =
                        new Transaction(List.of(), List.of(new Operation.Get(KeyRange.key("/a"))), List.of());
                assertThat(other.commit(look).get(10, TimeUnit.SECONDS).reads()).hasSize(1);
            }
            assertThat(owner.renewLease(lease).get(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static void assertRefused(CompletableFuture<?> call) {
        assertThatThrownBy(() -> call.get(10, TimeUnit.SECONDS))
                .cause()
                .isExactlyInstanceOf(StoreException.class)
                .hasMessageContaining("UNAUTHENTICATED")
                .hasMessageContaining("token");
    }

    private static long clusterOf(EmbeddedEtcdServer server) throws Exception {
        try (RendezvousStore store = connect(server, null)) {
            return store.range(KeyRange.key("/a")).get(10, TimeUnit.SECONDS).clusterId();
        }
    }

    private static RendezvousStore connect(EmbeddedEtcdServer server, @Nullable String token) {
        return EtcdStore.connect(EtcdStoreConfig.of(List.of(server.endpoint())).withToken(token));
    }
}
