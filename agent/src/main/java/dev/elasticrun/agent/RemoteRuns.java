/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.rendezvous.NodeRecord;
import dev.elasticrun.rendezvous.RunLookup;
import dev.elasticrun.rendezvous.store.etcd.EtcdStore;
import dev.elasticrun.rendezvous.store.etcd.EtcdStoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/** Agents of a run that may be on other hosts, found by its store. */
public final class RemoteRuns {
    private static final Duration DEADLINE = Duration.ofSeconds(2);

    private RemoteRuns() {}

    /**
     * A run and whom to ask about it.
     *
     * @param agents control address, HOST:PORT, by node
     * @param key the run's key; the caller's own copy
     * @param tls by what its agents are known; empty = they talk in plain text
     */
    public record RemoteRun(String run, Map<String, String> agents, byte[] key, Optional<RunTls> tls) {}

    /**
     * Looks into the store. An etcd holds the run's key; for an embedded store it must be given.
     *
     * @param keyFile holds the run's key
     * @return empty when there is no such run, or no live agent of it
     * @throws LaunchConfigException when the store does not answer, or there is no key
     */
    public static Optional<RemoteRun> find(List<String> endpoints, String runId, Optional<Path> keyFile) {
        EtcdStoreConfig config = EtcdStoreConfig.of(endpoints).withCallDeadline(DEADLINE);
        Optional<RunLookup.Found> found;
        try (EtcdStore store = EtcdStore.connect(config)) {
            found = RunLookup.find(store, runId).join();
        } catch (CompletionException e) {
            throw new LaunchConfigException(List.of("--rdzv-endpoint: " + String.join(",", endpoints)
                    + " (expected: a store that answers within " + DEADLINE.toSeconds() + " s; " + e.getCause() + ")"));
        }
        return found.map(run -> run(run, keyFile)).filter(run -> !run.agents().isEmpty());
    }

    private static RemoteRun run(RunLookup.Found found, Optional<Path> keyFile) {
        Map<String, String> agents = new LinkedHashMap<>();
        for (NodeRecord node : found.run().nodes()) {
            agents.put(node.nodeId(), new Endpoint(node.address(), node.controlPort()).text());
        }
        byte[] key = key(found, keyFile);
        return new RemoteRun(found.run().runId(), agents, key, tls(found, key));
    }

    private static Optional<RunTls> tls(RunLookup.Found found, byte[] key) {
        if (found.tls().isEmpty() || found.tls().equals(RunTls.OFF)) {
            return Optional.empty();
        }
        if (!found.tls().equals(RunTls.GENERATED)) {
            throw new LaunchConfigException(List.of("--rdzv-endpoint: run "
                    + found.run().runId() + " has certificates of its own (expected: to be asked on a host of it)"));
        }
        RunTls tls = RunTls.generated(found.run().runId(), "command", List.of());
        tls.known(key);
        return Optional.of(tls);
    }

    private static byte[] key(RunLookup.Found found, Optional<Path> keyFile) {
        if (keyFile.isPresent()) {
            try {
                return Files.readAllBytes(keyFile.get());
            } catch (IOException e) {
                throw new LaunchConfigException(
                        List.of("--run-key-file: " + keyFile.get() + " (expected: a readable file; " + e + ")"));
            }
        }
        if (found.runKey().length == 0) {
            throw new LaunchConfigException(List.of("--run-key-file: not given (expected: the file with the key of run "
                    + found.run().runId() + ", which its store does not hold)"));
        }
        return found.runKey().clone();
    }
}
