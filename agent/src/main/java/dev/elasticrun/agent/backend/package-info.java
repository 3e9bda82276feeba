/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Kinds of store that agents meet in, by name: the interface for stores of your own.
 *
 * <pre>{@code
 * package example;
 *
 * import dev.elasticrun.agent.backend.StoreProvider;
 * import dev.elasticrun.agent.config.SettingValues;
 * import dev.elasticrun.agent.config.Settings;
 * import dev.elasticrun.rendezvous.store.RendezvousStore;
 * import dev.elasticrun.rendezvous.store.etcd.EtcdStore;
 * import dev.elasticrun.rendezvous.store.etcd.EtcdStoreConfig;
 * import java.time.Duration;
 * import java.util.List;
 *
 * // The etcd of a cluster, found by the cluster's name.
 * public final class ClusterStore implements StoreProvider {
 *     @Override
 *     public String name() {
 *         return "cluster";
 *     }
 *
 *     @Override
 *     public RendezvousStore connect(SettingValues settings, Duration callDeadline) {
 *         List<String> endpoints = settings.get(Settings.RDZV_ENDPOINT).stream()
 *                 .map(cluster -> "etcd." + cluster + ".example:2379")
 *                 .toList();
 *         return EtcdStore.connect(EtcdStoreConfig.of(endpoints).withCallDeadline(callDeadline));
 *     }
 * }
 * }</pre>
 *
 * <p>The jar has {@code example.ClusterStore} as a line of {@code META-INF/services/dev.elasticrun.agent.backend.StoreProvider};
 * {@code elastic-run --policy-path cluster.jar --rdzv-backend cluster --rdzv-endpoint north} uses it. What a store must do is in
 * {@code dev.elasticrun.rendezvous.store}.
 */
@NullMarked
package dev.elasticrun.agent.backend;

import org.jspecify.annotations.NullMarked;
