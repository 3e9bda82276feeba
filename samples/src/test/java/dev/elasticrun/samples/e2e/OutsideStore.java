/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.agent.backend.StoreProvider;
import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.etcd.EtcdStore;
import dev.elasticrun.rendezvous.store.etcd.EtcdStoreConfig;
import java.time.Duration;

/** A user's store, which keeps all in an etcd. */
public final class OutsideStore implements StoreProvider {
    static final String NAME = "outside";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public RendezvousStore connect(SettingValues settings, Duration callDeadline) {
        return EtcdStore.connect(
                EtcdStoreConfig.of(settings.get(Settings.RDZV_ENDPOINT)).withCallDeadline(callDeadline));
    }
}
