/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.backend;

import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.rendezvous.restart.PolicyPath;
import java.util.SortedMap;
import java.util.TreeSet;

/** The kinds of store: the embedded one, which agents serve themselves, and all that providers connect to. */
public final class StoreProviders {
    /** {@link #ETCD} if there are endpoints, else {@link #EMBEDDED}. */
    public static final String AUTO = "auto";
    /** Served by the first agent that can listen at the endpoint. */
    public static final String EMBEDDED = "embedded";
    /** A store served outside of the run. */
    public static final String ETCD = "etcd";

    private static final String FLAG = "--rdzv-backend";

    private StoreProviders() {}

    /** The kind of store by its name: neither {@link #AUTO}, nor, unless it is served here, {@link #EMBEDDED}. */
    public static String kind(SettingValues settings) {
        String backend = settings.get(Settings.RDZV_BACKEND);
        if (settings.get(Settings.STANDALONE)
                || settings.get(Settings.RDZV_ENDPOINT).isEmpty()) {
            return EMBEDDED;
        }
        return backend.equals(AUTO) ? ETCD : backend;
    }

    /**
     * The provider for stores of that kind.
     *
     * @param kind not {@link #EMBEDDED}
     * @throws IllegalArgumentException for an unknown name, with a list of the known ones, and for providers that
     *     cannot be loaded
     */
    public static StoreProvider of(String kind, SettingValues settings) {
        SortedMap<String, StoreProvider> known = PolicyPath.services(
                StoreProvider.class,
                StoreProvider::name,
                FLAG,
                kind,
                settings.find(Settings.POLICY_PATH).orElse(""));
        StoreProvider provider = known.get(kind);
        if (provider == null) {
            TreeSet<String> names = new TreeSet<>(known.keySet());
            names.add(AUTO);
            names.add(EMBEDDED);
            throw new IllegalArgumentException(
                    FLAG + ": " + kind + " (expected: one of " + String.join(", ", names) + ")");
        }
        return provider;
    }
}
