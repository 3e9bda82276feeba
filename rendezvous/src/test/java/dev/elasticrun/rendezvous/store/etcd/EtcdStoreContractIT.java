/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.etcd;

import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.rendezvous.store.StoreBackend;
import dev.elasticrun.rendezvous.store.StoreContractTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
final class EtcdStoreContractIT extends StoreContractTest {
    /** A busy machine is no reason for a failure. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    @TempDir
    static Path directory;

    private static EtcdProcess etcd;

    @BeforeAll
    static void start() {
        etcd = EtcdProcess.start(directory.resolve("etcd"));
    }

    @AfterAll
    static void stop() {
        etcd.close();
    }

    @Override
    protected StoreBackend backend() {
        return () ->
                EtcdStore.connect(EtcdStoreConfig.of(List.of(etcd.endpoint())).withCallDeadline(PATIENCE));
    }
}
