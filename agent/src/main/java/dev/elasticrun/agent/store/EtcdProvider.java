/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.store;

import dev.elasticrun.agent.backend.StoreProvider;
import dev.elasticrun.agent.backend.StoreProviders;
import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.launch.EtcdUser;
import dev.elasticrun.agent.launch.TlsChecks;
import dev.elasticrun.agent.launch.TlsOptions;
import dev.elasticrun.agent.tls.EtcdTls;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.etcd.EtcdStore;
import dev.elasticrun.rendezvous.store.etcd.EtcdStoreConfig;
import io.grpc.ChannelCredentials;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An etcd that is served outside of the run. */
public final class EtcdProvider implements StoreProvider {
    @Override
    public String name() {
        return StoreProviders.ETCD;
    }

    @Override
    public RendezvousStore connect(SettingValues settings, Duration callDeadline) {
        return EtcdStore.connect(EtcdStoreConfig.of(settings.get(Settings.RDZV_ENDPOINT))
                .withCallDeadline(callDeadline)
                .withLogin(new EtcdUser(settings).login().orElse(null))
                .withTls(credentials(new TlsOptions(settings))));
    }

    private static @Nullable ChannelCredentials credentials(TlsOptions tls) {
        Optional<EtcdTls.Files> files = TlsChecks.etcdFiles(tls);
        try {
            return files.isEmpty() ? null : EtcdTls.credentials(files.get());
        } catch (IOException e) {
            throw new IllegalArgumentException("--etcd-ca: " + e.getMessage(), e);
        }
    }
}
