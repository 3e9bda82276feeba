/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.agent.backend.StoreProviders;
import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Where the nodes of a run meet, and by what name. */
public record StoreOptions(SettingValues values) {
    /** Name of the run; empty = a random one. */
    public Optional<String> runId() {
        return values.find(Settings.RUN_ID);
    }

    String backend() {
        return values.get(Settings.RDZV_BACKEND);
    }

    /** HOST:PORT of the store, or what an outside one takes in its place; empty = in this agent. */
    public List<String> endpoints() {
        return values.get(Settings.RDZV_ENDPOINT);
    }

    /** Whether a run of the name that has succeeded is not started again. */
    public boolean once() {
        return values.get(Settings.ONCE);
    }

    /** The place in the first order of ranks that this node is to have; empty = any. */
    public Optional<Integer> nodeRank() {
        return values.find(Settings.NODE_RANK);
    }

    public boolean standalone() {
        return values.get(Settings.STANDALONE);
    }

    /** Whether no place is given at which other nodes could meet this one: the store is in this agent, for this host. */
    public boolean meetsNobody() {
        return standalone() || endpoints().isEmpty();
    }

    /** File with the run's secret; empty = minted. */
    public Optional<Path> runKeyFile() {
        return values.find(Settings.RUN_KEY_FILE);
    }

    /** Address at which other nodes reach this one; empty = that of the interface that leads to the store. */
    public Optional<String> localAddr() {
        return values.find(Settings.LOCAL_ADDR);
    }

    /** Whether every caller that reaches an embedded store of this agent may read it. */
    public boolean openReads() {
        return values.get(Settings.STORE_OPEN_READS);
    }

    /** The user as which the agent calls an etcd. */
    EtcdUser etcdUser() {
        return new EtcdUser(values);
    }

    /** Whether the store is an etcd, which is served outside of the run. */
    public boolean isEtcd() {
        return kind().equals(StoreProviders.ETCD);
    }

    /** Whether the store is of a kind that only its {@link dev.elasticrun.agent.backend.StoreProvider} knows. */
    public boolean isOutside() {
        return !isEtcd() && !kind().equals(StoreProviders.EMBEDDED);
    }

    /** See {@link StoreProviders#kind}. */
    public String kind() {
        return StoreProviders.kind(values);
    }
}
