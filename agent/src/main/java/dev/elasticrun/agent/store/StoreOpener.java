/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.store;

import dev.elasticrun.agent.backend.StoreProvider;
import dev.elasticrun.agent.backend.StoreProviders;
import dev.elasticrun.agent.context.OtherEncryptionException;
import dev.elasticrun.agent.control.Refusals;
import dev.elasticrun.agent.directory.OwnDirectory;
import dev.elasticrun.agent.directory.RunDirectory;
import dev.elasticrun.agent.launch.Endpoint;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.LaunchConfigException;
import dev.elasticrun.agent.tls.HandshakeWatch;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.rendezvous.store.HmacSha256;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.StoreException;
import dev.elasticrun.rendezvous.store.embedded.ConnectionGate;
import dev.elasticrun.rendezvous.store.embedded.EmbeddedEtcdServer;
import dev.elasticrun.rendezvous.store.embedded.StoreAccess;
import dev.elasticrun.rendezvous.store.etcd.EtcdStore;
import dev.elasticrun.rendezvous.store.etcd.EtcdStoreConfig;
import dev.elasticrun.rendezvous.store.etcd.StoreLogin;
import dev.elasticrun.rendezvous.terms.RunKeySource;
import dev.elasticrun.worker.contract.ListenPlace;
import io.grpc.ServerCredentials;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds or serves the store that a run's agents meet in. Blocks; not for the loop. */
public final class StoreOpener {
    private static final Logger LOG = LoggerFactory.getLogger(StoreOpener.class);
    private static final String LOOPBACK = "127.0.0.1";
    private static final int KEY_BYTES = 32;
    // Interval of the polls for the key, and of connections to a listener that ends them at once.
    private static final Duration KEY_POLL = Duration.ofMillis(50);

    private final LaunchConfig config;
    private final ListenPlace place;
    private final String runId;
    private final Optional<RunTls> tls;
    private final Refusals refusals;
    private final SecureRandom random;
    private final byte @Nullable [] given;

    private StoreOpener(
            LaunchConfig config,
            ListenPlace place,
            String runId,
            Optional<RunTls> tls,
            Refusals refusals,
            SecureRandom random) {
        this.config = config;
        this.place = place;
        this.runId = runId;
        this.tls = tls;
        this.refusals = refusals;
        this.random = random;
        this.given = config.store().runKeyFile().map(StoreOpener::readKey).orElse(null);
    }

    /** No store was there, or ready, within the given time; a retry may succeed. */
    public static final class StoreUnreachableException extends RuntimeException {
        private static final long serialVersionUID = 1;

        StoreUnreachableException(String message) {
            super(message);
        }
    }

    /**
     * @param place where this node listens
     * @throws LaunchConfigException when the endpoint can be neither used nor served
     * @throws StoreUnreachableException when no process answers there, or the agent that serves there does not join its
     *     run
     */
    public static OpenedStore open(
            LaunchConfig config,
            ListenPlace place,
            String runId,
            Optional<RunTls> tls,
            Refusals refusals,
            SecureRandom random) {
        return new StoreOpener(config, place, runId, tls, refusals, random).open();
    }

    private OpenedStore open() {
        List<String> endpoints = config.store().endpoints();
        if (config.store().kind().equals(StoreProviders.EMBEDDED)) {
            return config.store().meetsNobody() ? serveHere() : meet();
        }
        byte[] key = given;
        if (key != null) {
            tls.ifPresent(known -> known.known(key));
        }
        Duration callDeadline =
                EtcdStoreConfig.callDeadline(config.times().lease().ttl(), endpoints.size());
        try {
            StoreProvider provider = StoreProviders.of(config.store().kind(), config.values());
            RendezvousStore store = provider.connect(config.values(), callDeadline);
            return new OpenedStore(store, null, new RunKeySource(given, true), provider.describe(endpoints), endpoints);
        } catch (IllegalArgumentException e) {
            throw new LaunchConfigException(List.of(String.valueOf(e.getMessage())));
        }
    }

    // The agent that can bind the address serves. The others need the key, which the server writes to a file only when
    // it has joined its own run: of agents that start together, all but one come too early and retry. {@link KeyWait}
    // decides how long.
    private OpenedStore meet() {
        String text = config.store().endpoints().get(0);
        Endpoint endpoint = Endpoint.parse(text).orElseThrow();
        long deadline = System.nanoTime() + config.times().firstContactTimeout().toNanos();
        KeyWait wait = new KeyWait(runId, text, endpoint.port(), config.times());
        while (true) {
            Optional<Socket> connected = connect(endpoint);
            if (connected.isEmpty()) {
                try {
                    return serve(endpoint.host(), endpoint.port(), true);
                } catch (StoreException lostTheRace) {
                    connected = connect(endpoint);
                    if (connected.isEmpty() && System.nanoTime() - deadline >= 0) {
                        throw new StoreUnreachableException("nobody listened at " + text + " within "
                                + config.times().firstContactTimeout().toMillis()
                                + " ms (expected: an embedded store, or an address of this host to serve one; "
                                + lostTheRace.getMessage() + ")");
                    }
                    if (connected.isEmpty()) {
                        // An address of another host, where no agent serves yet.
                        LockSupport.parkNanos(KEY_POLL.toNanos());
                        continue;
                    }
                }
            }
            try (Socket server = connected.get()) {
                if (given != null) {
                    requireKeyOfTheRun(given, text);
                }
                byte[] key = given != null ? given : awaitKey(server, endpoint.port(), wait);
                if (key != null) {
                    EtcdStore store = EtcdStore.connect(embedded(List.of(text), key));
                    return new OpenedStore(
                            store, null, new RunKeySource(key, false), "the embedded store at " + text, List.of(text));
                }
            } catch (IOException e) {
                LOG.debug("the connection to {} ended: {}", text, e.toString());
            }
            if (wait.isOver()) {
                throw wait.failure();
            }
            LockSupport.parkNanos(KEY_POLL.toNanos());
        }
    }

    // Waits for the key over one connection: a server that does not accept yet has no room for one connection per poll.
    // Returns null when the time is over, or the server is gone.
    private byte @Nullable [] awaitKey(Socket server, int port, KeyWait wait) throws IOException {
        server.setSoTimeout((int) KEY_POLL.toMillis());
        byte[] ignored = new byte[1024];
        while (!wait.isOver()) {
            Optional<byte[]> key = keyOnThisHost(port);
            if (key.isPresent()) {
                return key.get();
            }
            try {
                if (server.getInputStream().read(ignored) < 0) {
                    return null;
                }
            } catch (SocketTimeoutException stillThere) {
                // As intended: this is the wait between two polls.
            }
        }
        return null;
    }

    /** For agents of this host only. */
    private OpenedStore serveHere() {
        try {
            ListenPlace here = new ListenPlace(null, place.firstPort(), place.lastPort());
            return here.open(at -> {
                try {
                    return serve(LOOPBACK, at.getPort(), !place.hasRange());
                } catch (StoreException e) {
                    throw new IOException(e.getMessage(), e);
                }
            });
        } catch (IOException e) {
            throw new LaunchConfigException(List.of(String.valueOf(e.getMessage())));
        }
    }

    // shared: whether another process may hold the port.
    private OpenedStore serve(String host, int port, boolean shared) {
        byte[] key = given;
        if (key == null) {
            key = new byte[KEY_BYTES];
            random.nextBytes(key);
        }
        byte[] known = key;
        // The rehearsal has time meanwhile to load what the certificates take.
        Optional<ServerCredentials> credentials = tls.map(RunTls::server);
        tls.ifPresent(shown -> shown.known(known));
        ConnectionGate gate = new ConnectionGate();
        EmbeddedEtcdServer server = EmbeddedEtcdServer.start(
                host,
                port,
                new StoreAccess(storeSecret(key), config.store().openReads()),
                credentials.orElse(null),
                new EmbeddedEtcdServer.Listening(
                        HandshakeWatch.channels(
                                gate::admit, (protocol, from, why) -> refusals.handshake(protocol, "store", from, why)),
                        gate,
                        shared,
                        (method, from) -> refusals.call(method, from)));
        List<String> endpoints = List.of(server.endpoint());
        EtcdStore store = EtcdStore.connect(embedded(endpoints, key));
        return new OpenedStore(
                store, server, new RunKeySource(key, false), "the embedded store at " + server.endpoint(), endpoints);
    }

    private EtcdStoreConfig embedded(List<String> endpoints, byte[] key) {
        tls.ifPresent(known -> known.known(key));
        return EtcdStoreConfig.of(endpoints)
                .withLease(config.times().lease().ttl())
                .withLogin(new StoreLogin.Secret(storeSecret(key)))
                .withTls(tls.map(RunTls::client).orElse(null));
    }

    // A connection to the process that listens there; empty when none does.
    private Optional<Socket> connect(Endpoint endpoint) {
        Socket socket = new Socket();
        Duration limit = config.times().firstContactTimeout();
        try {
            socket.connect(new InetSocketAddress(endpoint.host(), endpoint.port()), (int) limit.toMillis());
            return Optional.of(socket);
        } catch (ConnectException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new StoreUnreachableException("--rdzv-endpoint: " + endpoint.host() + ":" + endpoint.port()
                    + " (expected: an address that answers within " + limit.toMillis() + " ms; " + e.getMessage()
                    + ")");
        }
    }

    // Agents of one user on one host share the key through the run directory of the agent that serves the store.
    // Another run may have the same name: the key is that of an agent whose store is at this port. A host can be named
    // in several ways.
    private Optional<byte[]> keyOnThisHost(int port) {
        try {
            for (Path directory : RunDirectory.find()) {
                Optional<RunFile> file = RunFile.read(directory);
                if (file.filter(found -> found.run().equals(runId) && found.hasStoreAt(port))
                        .isPresent()) {
                    requireSame(file.get());
                    return Optional.of(RunDirectory.readKey(directory));
                }
            }
        } catch (NoSuchFileException e) {
            // An agent that ends deletes its directory meanwhile; a caller that still needs a key retries.
            return Optional.empty();
        } catch (IOException e) {
            throw new LaunchConfigException(
                    List.of("--run-id: " + runId + " (expected: a readable run directory; " + e + ")"));
        }
        return Optional.empty();
    }

    // Where the agent that serves the store is on this host, a wrong key can be reported at once.
    private void requireKeyOfTheRun(byte[] key, String endpoint) throws IOException {
        for (Path directory : RunDirectory.find()) {
            Optional<RunFile> serving = RunFile.read(directory)
                    .filter(file -> file.run().equals(runId) && file.endpoints().contains(endpoint));
            if (serving.isPresent() && !MessageDigest.isEqual(key, RunDirectory.readKey(directory))) {
                throw new LaunchConfigException(List.of("--run-key-file: "
                        + config.store().runKeyFile().orElseThrow() + " (expected: the key with which node "
                        + serving.get().node() + " of run " + runId
                        + " was started; none at all if it was started without one)"));
            }
        }
    }

    // Otherwise the store could not even be read for what the run's agents must agree on.
    private void requireSame(RunFile found) {
        boolean isEncrypted = found.tls() != null;
        if (isEncrypted != tls.isPresent()) {
            throw new OtherEncryptionException(isEncrypted, found.node(), found.run());
        }
    }

    private static byte[] readKey(Path file) {
        try {
            byte[] key = Files.readAllBytes(file);
            if (OwnDirectory.isReadableByOthers(file)) {
                LOG.warn("--run-key-file: other users of this host can read {} (chmod 600 forbids that)", file);
            }
            if (key.length < 16) {
                throw new LaunchConfigException(
                        List.of("--run-key-file: " + file + " has " + key.length + " bytes (expected: at least 16)"));
            }
            return key;
        } catch (IOException e) {
            throw new LaunchConfigException(
                    List.of("--run-key-file: " + file + " (expected: a readable file; " + e + ")"));
        }
    }

    /**
     * The secret of which callers of an embedded store prove knowledge: it is derived from the key, and is not sent
     * either.
     */
    public static String storeSecret(byte[] key) {
        return HexFormat.of().formatHex(HmacSha256.of(key, new byte[] {'s', 't', 'o', 'r', 'e'}));
    }
}
