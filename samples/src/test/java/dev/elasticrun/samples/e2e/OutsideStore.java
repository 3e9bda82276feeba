/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.agent.backend.StoreProvider;
import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.etcd.EtcdStore;
import dev.elasticrun.rendezvous.store.etcd.EtcdStoreConfig;
import java.time.Duration;
import java.util.List;

/** A user's store, which keeps all in an etcd. Its endpoints are not of the form HOST:PORT. */
public final class OutsideStore implements StoreProvider {
    static final String NAME = "outside";
    static final String PREFIX = "in/etcd/at/";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public RendezvousStore connect(SettingValues settings, Duration callDeadline) {
        List<String> endpoints = settings.get(Settings.RDZV_ENDPOINT).stream()
                .map(endpoint -> endpoint.substring(PREFIX.length()))
                .toList();
        return EtcdStore.connect(EtcdStoreConfig.of(endpoints).withCallDeadline(callDeadline));
    }
}
