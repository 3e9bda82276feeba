/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.rendezvous.store.etcd.StoreLogin;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the nodes of a run meet, and by what name.
 *
 * @param givenRunId see {@link #runId}
 * @param backend who serves the store
 * @param endpoints HOST:PORT of the store; empty = in this agent
 * @param standalone one node with a store of its own, whatever the endpoints say
 * @param givenRunKeyFile see {@link #runKeyFile}
 * @param givenLocalAddr see {@link #localAddr}
 * @param openReads whether an embedded store of this agent is read by whoever reaches it
 * @param etcdUser as whom an etcd is called
 */
public record StoreOptions(
        @Nullable String givenRunId,
        RendezvousBackend backend,
        List<String> endpoints,
        boolean standalone,
        @Nullable Path givenRunKeyFile,
        @Nullable String givenLocalAddr,
        boolean openReads,
        EtcdUser etcdUser) {
    static final StoreOptions DEFAULT =
            new StoreOptions(null, RendezvousBackend.AUTO, List.of(), false, null, null, false, EtcdUser.NONE);

    public StoreOptions {
        Objects.requireNonNull(backend, "backend");
        endpoints = List.copyOf(endpoints);
    }

    /** Name of the run; empty = a random one. */
    public Optional<String> runId() {
        return Optional.ofNullable(givenRunId);
    }

    /** File with the run's secret; empty = minted. */
    public Optional<Path> runKeyFile() {
        return Optional.ofNullable(givenRunKeyFile);
    }

    /** Address at which other nodes reach this one; empty = that of the interface that leads to the store. */
    public Optional<String> localAddr() {
        return Optional.ofNullable(givenLocalAddr);
    }

    /** Whether the store is an etcd, which somebody else serves. */
    boolean isEtcd() {
        return !standalone && !endpoints.isEmpty() && backend != RendezvousBackend.EMBEDDED;
    }

    StoreOptions withRunId(String value) {
        return new StoreOptions(
                value, backend, endpoints, standalone, givenRunKeyFile, givenLocalAddr, openReads, etcdUser);
    }

    StoreOptions withBackend(RendezvousBackend value) {
        return new StoreOptions(
                givenRunId, value, endpoints, standalone, givenRunKeyFile, givenLocalAddr, openReads, etcdUser);
    }

    StoreOptions withEndpoints(List<String> value) {
        return new StoreOptions(
                givenRunId, backend, value, standalone, givenRunKeyFile, givenLocalAddr, openReads, etcdUser);
    }

    StoreOptions withStandalone(boolean value) {
        return new StoreOptions(
                givenRunId, backend, endpoints, value, givenRunKeyFile, givenLocalAddr, openReads, etcdUser);
    }

    StoreOptions withRunKeyFile(Path value) {
        return new StoreOptions(givenRunId, backend, endpoints, standalone, value, givenLocalAddr, openReads, etcdUser);
    }

    StoreOptions withLocalAddr(String value) {
        return new StoreOptions(
                givenRunId, backend, endpoints, standalone, givenRunKeyFile, value, openReads, etcdUser);
    }

    StoreOptions withOpenReads(boolean value) {
        return new StoreOptions(
                givenRunId, backend, endpoints, standalone, givenRunKeyFile, givenLocalAddr, value, etcdUser);
    }

    StoreOptions withEtcdUser(EtcdUser value) {
        return new StoreOptions(
                givenRunId, backend, endpoints, standalone, givenRunKeyFile, givenLocalAddr, openReads, value);
    }

    /** Reads the password. */
    Optional<StoreLogin> etcdLogin() {
        return isEtcd() ? etcdUser.login() : Optional.empty();
    }
}
