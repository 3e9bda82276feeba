/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.StoreException;
import dev.elasticrun.rendezvous.store.StoreRefusedException;
import dev.elasticrun.rendezvous.store.Transaction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An etcd with authentication. */
@Timeout(60)
final class EtcdUserIT {
    private static final KeyRange ALLOWED = KeyRange.key("/elastic-run/a");

    @TempDir
    Path directory;

    @Test
    @Tag("slow")
    void user_withARole_worksOnAfterItsTokensAreGoneAndOthersAreRefused() throws Exception {
        try (EtcdProcess etcd = EtcdProcess.start(directory.resolve("etcd"))) {
            protect(etcd);
            try (RendezvousStore member = connect(etcd, new StoreLogin.User("trainer", "secret"));
                    RendezvousStore nobody = connect(etcd, null);
                    RendezvousStore wrong = connect(etcd, new StoreLogin.User("trainer", "guess"))) {
                assertThat(untilItAnswers(member)).isZero();
                member.commit(put("/elastic-run/a")).get(10, TimeUnit.SECONDS);
                assertThat(get(member.range(ALLOWED)).entries()).hasSize(1);
                assertThatThrownBy(() -> get(member.commit(put("/other"))))
                        .isInstanceOf(StoreRefusedException.class)
                        .hasMessageContaining("permission denied")
                        .hasMessageContaining("--etcd-user");
                assertThatThrownBy(() -> get(nobody.range(ALLOWED)))
                        .isInstanceOf(StoreRefusedException.class)
                        .hasMessageContaining("user name is empty");
                assertThatThrownBy(() -> get(wrong.range(ALLOWED)))
                        .isInstanceOf(StoreRefusedException.class)
                        .hasMessageContaining("authentication failed");

                // Simple tokens live in memory only.
                etcd.restart();
                assertThat(untilItAnswers(member)).isEqualTo(1);
            }
        }
    }

    @Test
    @Tag("once")
    void user_ofAnEtcdWithoutAuthentication_isNotMinded() throws Exception {
        try (EtcdProcess etcd = EtcdProcess.start(directory.resolve("open"));
                RendezvousStore store = connect(etcd, new StoreLogin.User("trainer", "secret"))) {
            assertThat(untilItAnswers(store)).isZero();
        }
    }

    /** How many keys it has. A first call may take longer than its deadline: it loads the client. */
    private static int untilItAnswers(RendezvousStore store) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (true) {
            try {
                return get(store.range(ALLOWED)).entries().size();
            } catch (StoreException e) {
                assertThat(e).isNotInstanceOf(StoreRefusedException.class);
                if (System.nanoTime() - deadline > 0) {
                    throw e;
                }
            }
        }
    }

    private static void protect(EtcdProcess etcd) {
        etcd.ctl("user", "add", "root:root");
        etcd.ctl("user", "grant-role", "root", "root");
        etcd.ctl("role", "add", "runs");
        etcd.ctl("role", "grant-permission", "runs", "--prefix=true", "readwrite", "/elastic-run/");
        etcd.ctl("user", "add", "trainer:secret");
        etcd.ctl("user", "grant-role", "trainer", "runs");
        assertThat(etcd.ctl("auth", "enable")).contains("Authentication Enabled");
    }

    private static Transaction put(String key) {
        byte[] value = "1".getBytes(StandardCharsets.UTF_8);
        return new Transaction(List.of(), List.of(new Transaction.Operation.Put(key, value, 0)), List.of());
    }

    private static <T> T get(CompletableFuture<T> call) throws Exception {
        try {
            return call.get(10, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof StoreException failure ? failure : e;
        }
    }

    private static RendezvousStore connect(EtcdProcess etcd, @Nullable StoreLogin login) {
        return EtcdStore.connect(EtcdStoreConfig.of(List.of(etcd.endpoint())).withLogin(login));
    }
}
