/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import dev.elasticrun.rendezvous.store.StoreBackend;
import dev.elasticrun.rendezvous.store.StoreContractTest;
import dev.elasticrun.rendezvous.store.etcd.EtcdStore;
import dev.elasticrun.rendezvous.store.etcd.EtcdStoreConfig;
import dev.elasticrun.rendezvous.store.etcd.StoreLogin;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

final class EmbeddedStoreContractTest extends StoreContractTest {
    /** A busy machine is no reason for a failure. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private static EmbeddedEtcdServer server;

    @BeforeAll
    static void start() {
        server = EmbeddedEtcdServer.start("127.0.0.1", 0, "secret");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected StoreBackend backend() {
        return () -> EtcdStore.connect(EtcdStoreConfig.of(List.of(server.endpoint()))
                .withLogin(new StoreLogin.Secret("secret"))
                .withCallDeadline(PATIENCE));
    }
}
