/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.backend.StoreProvider;
import dev.elasticrun.agent.backend.StoreProviders;
import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.launch.Endpoint;
import dev.elasticrun.agent.launch.EtcdUser;
import dev.elasticrun.agent.launch.LaunchConfigException;
import dev.elasticrun.agent.launch.ListenPlaces;
import dev.elasticrun.agent.launch.TlsChecks;
import dev.elasticrun.agent.launch.TlsOptions;
import dev.elasticrun.agent.store.StoreOpener;
import dev.elasticrun.agent.tls.GivenTls;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.rendezvous.RunDescription;
import dev.elasticrun.rendezvous.RunLookup;
import dev.elasticrun.rendezvous.record.CorruptRecordException;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.StoreUntrustedException;
import dev.elasticrun.rendezvous.store.etcd.EtcdStore;
import dev.elasticrun.rendezvous.store.etcd.EtcdStoreConfig;
import dev.elasticrun.rendezvous.store.etcd.StoreLogin;
import io.grpc.ChannelCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Agents of a run that may be on other hosts, found by its store. */
public final class RemoteRuns {
    private static final Duration DEADLINE = Duration.ofSeconds(2);
    private static final String COMMAND = "command";
    /** Nobody writes it: that the store answers is enough. */
    private static final String PROBE = "/elastic-run/probe";

    private final Wanted wanted;
    private final byte @Nullable [] givenKey;

    private RemoteRuns(Wanted wanted) {
        this.wanted = wanted;
        this.givenKey = wanted.values()
                .find(Settings.RUN_KEY_FILE)
                .map(RemoteRuns::read)
                .orElse(null);
    }

    /**
     * A run to find: a run id, endpoints of a store, and the other options with which an agent of the run reaches it.
     *
     * @param values if only the run key is given, the store is an embedded one; an etcd holds the key, too
     */
    public record Wanted(SettingValues values) {
        public String runId() {
            return values.get(Settings.RUN_ID);
        }

        public List<String> endpoints() {
            return values.get(Settings.RDZV_ENDPOINT);
        }

        private TlsOptions tls() {
            return new TlsOptions(values);
        }

        private EtcdUser user() {
            return new EtcdUser(values);
        }

        // Without --rdzv-backend, an option that only etcd accepts, or a missing run key, selects etcd.
        private String kind() {
            if (!values.get(Settings.RDZV_BACKEND).equals(StoreProviders.AUTO)) {
                return values.get(Settings.RDZV_BACKEND);
            }
            return values.find(Settings.RUN_KEY_FILE).isEmpty()
                            || tls().etcdAuthorities().isPresent()
                            || user().name().isPresent()
                    ? StoreProviders.ETCD
                    : StoreProviders.EMBEDDED;
        }

        private boolean isEtcd() {
            return kind().equals(StoreProviders.ETCD);
        }

        private String store() {
            return "--rdzv-endpoint: " + String.join(",", endpoints());
        }
    }

    /**
     * A run and the agents that answer for it.
     *
     * @param agents control address, HOST:PORT, by node
     * @param key the run's key; the caller's own copy
     * @param tls verifies its agents; empty = they communicate in plain text
     */
    public record RemoteRun(String run, Map<String, String> agents, byte[] key, Optional<RunTls> tls) {}

    /**
     * One of all runs of a store.
     *
     * @param nodes live ones
     * @param round newest; 0 = there was none
     * @param end empty = it has not ended
     */
    public record ListedRun(
            String run, String policy, List<String> nodes, long round, int worldSize, Optional<ListedEnd> end) {}

    /** How a run of a store ended. */
    public record ListedEnd(boolean succeeded, int exitCode, String reason) {}

    /**
     * Reads the store for all of its runs: those that have nodes, and for some time those that have ended.
     *
     * @param wanted without the name of a run
     * @throws LaunchConfigException as {@link #find}
     */
    public static List<ListedRun> list(Wanted wanted) {
        return checked(wanted).ask(RunLookup::all).stream()
                .map(RemoteRuns::listed)
                .toList();
    }

    private static ListedRun listed(RunLookup.Listed listed) {
        RunDescription run = listed.run();
        Round round = run.round();
        return new ListedRun(
                run.runId(),
                run.terms().policy(),
                run.nodes().stream().map(NodeRecord::nodeId).toList(),
                round == null ? 0 : round.number(),
                round == null ? 0 : round.worldSize(),
                Optional.ofNullable(listed.verdict())
                        .map(end -> new ListedEnd(end.succeeded(), end.exitCode(), end.reason())));
    }

    /**
     * Reads the store.
     *
     * @return empty when there is no such run, or no live agent of it
     * @throws LaunchConfigException when the store does not answer, there is no key, or a server is not trusted
     */
    public static Optional<RemoteRun> find(Wanted wanted) {
        return checked(wanted).find();
    }

    private static RemoteRuns checked(Wanted wanted) {
        List<String> violations =
                new ArrayList<>(TlsChecks.violations(wanted.tls(), wanted.isEtcd(), wanted.endpoints()));
        violations.addAll(wanted.user().violations(wanted.isEtcd()));
        if (!violations.isEmpty()) {
            throw new LaunchConfigException(violations);
        }
        return new RemoteRuns(wanted);
    }

    // Uses the first endpoint that answers: commands are most needed when one of them does not.
    private Optional<RemoteRun> find() {
        return ask(store -> RunLookup.find(store, wanted.runId()))
                .map(this::run)
                .filter(run -> !run.agents().isEmpty());
    }

    /**
     * A connection to the store, for what is no run.
     *
     * @param wanted the run is one for which the store was served, or any
     * @throws LaunchConfigException as {@link #find}
     */
    public static RendezvousStore connect(Wanted wanted) {
        RemoteRuns runs = checked(wanted);
        return runs.ask(store -> store.range(KeyRange.key(PROBE)).thenApply(answered -> store), store -> {});
    }

    private <T> T ask(Function<RendezvousStore, CompletableFuture<T>> question) {
        return ask(question, RendezvousStore::close);
    }

    /** @param answered receives the store that has answered */
    private <T> T ask(
            Function<RendezvousStore, CompletableFuture<T>> question, Consumer<? super RendezvousStore> answered) {
        List<Throwable> failures = new ArrayList<>();
        for (Supplier<RendezvousStore> client : clients()) {
            RendezvousStore store = client.get();
            try {
                T answer = question.apply(store).join();
                answered.accept(store);
                return answer;
            } catch (CompletionException e) {
                store.close();
                failures.add(e.getCause());
            }
        }
        Throwable first = failures.get(0);
        throw new LaunchConfigException(List.of(
                first instanceof StoreUntrustedException || first instanceof CorruptRecordException
                        ? wanted.store() + ": " + first.getMessage()
                        : wanted.store() + " (expected: a store that answers within " + DEADLINE.toSeconds() + " s; "
                                + failures.stream().map(String::valueOf).collect(Collectors.joining("; ")) + ")"));
    }

    // One client for each endpoint and kind of credentials, in the order in which to try them.
    private List<Supplier<RendezvousStore>> clients() {
        List<Supplier<RendezvousStore>> clients = new ArrayList<>();
        if (wanted.kind().equals(StoreProviders.EMBEDDED)) {
            byte[] key = Optional.ofNullable(givenKey)
                    .orElseThrow(() -> new LaunchConfigException(
                            List.of("--run-key-file: not given (expected: the key of the embedded store's run)")));
            for (Optional<ChannelCredentials> credentials : embeddedCredentials(key)) {
                wanted.endpoints().forEach(endpoint -> clients.add(() -> embedded(endpoint, key, credentials)));
            }
            return clients;
        }
        try {
            StoreProvider provider = StoreProviders.of(wanted.kind(), wanted.values());
            for (String endpoint : wanted.endpoints()) {
                SettingValues one = wanted.values().with(Settings.RDZV_ENDPOINT, List.of(endpoint));
                clients.add(() -> provider.connect(one, DEADLINE));
            }
            return clients;
        } catch (IllegalArgumentException e) {
            throw new LaunchConfigException(List.of(String.valueOf(e.getMessage())));
        }
    }

    private static EtcdStore embedded(String endpoint, byte[] key, Optional<ChannelCredentials> credentials) {
        return EtcdStore.connect(EtcdStoreConfig.of(List.of(endpoint))
                .withCallDeadline(DEADLINE)
                .withLogin(new StoreLogin.Secret(StoreOpener.storeSecret(key)))
                .withTls(credentials.orElse(null)));
    }

    /**
     * Credentials for an embedded store, most likely first; empty = plain text. The key alone does not show whether the
     * store encrypts. Trying both is safe: what a store holds about a run must be proved with the run's key.
     */
    private List<Optional<ChannelCredentials>> embeddedCredentials(byte[] key) {
        Optional<ChannelCredentials> encrypted = Optional.of(nodes(key).client());
        if (wanted.tls().on()) {
            return List.of(encrypted);
        } else if (wanted.tls().insecure()) {
            return List.of(Optional.empty());
        }
        return ListenPlaces.areLoopback(wanted.endpoints())
                ? List.of(Optional.empty(), encrypted)
                : List.of(encrypted, Optional.empty());
    }

    private RemoteRun run(RunLookup.Found found) {
        Map<String, String> agents = new LinkedHashMap<>();
        for (NodeRecord node : found.run().nodes()) {
            agents.put(
                    node.nodeId(),
                    new Endpoint(node.spec().address(), node.spec().controlPort()).text());
        }
        byte[] key = key(found);
        return new RemoteRun(
                wanted.runId(), agents, key, tls(found.run().terms().tls(), key));
    }

    private Optional<RunTls> tls(String agreed, byte[] key) {
        if (agreed.isEmpty() || agreed.equals(RunTls.OFF)) {
            return Optional.empty();
        }
        boolean isGiven = wanted.tls().isGiven();
        if (!isGiven && !agreed.equals(RunTls.GENERATED)) {
            throw new LaunchConfigException(List.of("--tls-ca: not given (expected: the authorities of run "
                    + wanted.runId() + ", " + agreed
                    + ", and with --tls-cert and --tls-key a certificate of theirs)"));
        }
        RunTls tls = nodes(key);
        if (!tls.agreement().equals(agreed)) {
            throw new LaunchConfigException(List.of("--tls-ca: " + tls.agreement() + " (expected: " + agreed
                    + ", which run " + wanted.runId() + " has)"));
        }
        return Optional.of(tls);
    }

    private RunTls nodes(byte[] key) {
        try {
            if (wanted.tls().isGiven()) {
                return RunTls.given(
                        GivenTls.read(TlsChecks.nodeFiles(wanted.tls()).orElseThrow()));
            }
        } catch (IOException e) {
            throw new LaunchConfigException(List.of("--tls-ca: " + e.getMessage()));
        }
        RunTls tls = RunTls.generated(wanted.runId(), COMMAND, List.of());
        tls.known(key);
        return tls;
    }

    private byte[] key(RunLookup.Found found) {
        byte[] key = givenKey;
        if (key == null && found.runKey().length == 0) {
            throw new LaunchConfigException(List.of("--run-key-file: not given (expected: the file with the key of run "
                    + wanted.runId() + ", which its store does not hold)"));
        }
        if (key != null && !found.isKey().test(key)) {
            throw new LaunchConfigException(List.of("--run-key-file: another key (expected: "
                    + (found.runKey().length > 0 ? "none, as the store holds the one of run " : "the one of run ")
                    + wanted.runId() + ")"));
        }
        return key == null ? found.runKey().clone() : key;
    }

    private static byte[] read(Path keyFile) {
        try {
            return Files.readAllBytes(keyFile);
        } catch (IOException e) {
            throw new LaunchConfigException(
                    List.of("--run-key-file: " + keyFile + " (expected: a readable file; " + e + ")"));
        }
    }
}
