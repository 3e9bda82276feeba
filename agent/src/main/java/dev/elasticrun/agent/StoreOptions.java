/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

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
 */
public record StoreOptions(
        @Nullable String givenRunId,
        RendezvousBackend backend,
        List<String> endpoints,
        boolean standalone,
        @Nullable Path givenRunKeyFile,
        @Nullable String givenLocalAddr) {
    static final StoreOptions DEFAULT = new StoreOptions(null, RendezvousBackend.AUTO, List.of(), false, null, null);

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
        return new StoreOptions(value, backend, endpoints, standalone, givenRunKeyFile, givenLocalAddr);
    }

    StoreOptions withBackend(RendezvousBackend value) {
        return new StoreOptions(givenRunId, value, endpoints, standalone, givenRunKeyFile, givenLocalAddr);
    }

    StoreOptions withEndpoints(List<String> value) {
        return new StoreOptions(givenRunId, backend, value, standalone, givenRunKeyFile, givenLocalAddr);
    }

    StoreOptions withStandalone(boolean value) {
        return new StoreOptions(givenRunId, backend, endpoints, value, givenRunKeyFile, givenLocalAddr);
    }

    StoreOptions withRunKeyFile(Path value) {
        return new StoreOptions(givenRunId, backend, endpoints, standalone, value, givenLocalAddr);
    }

    StoreOptions withLocalAddr(String value) {
        return new StoreOptions(givenRunId, backend, endpoints, standalone, givenRunKeyFile, value);
    }
}
