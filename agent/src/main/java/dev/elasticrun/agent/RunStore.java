/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.directory.PrivateFiles;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.TlsChecks;
import dev.elasticrun.agent.store.StoreOpener;
import dev.elasticrun.agent.tls.GivenTls;
import dev.elasticrun.agent.tls.HandshakeWatch;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.rendezvous.store.embedded.ConnectionGate;
import dev.elasticrun.rendezvous.store.embedded.EmbeddedEtcdServer;
import dev.elasticrun.rendezvous.store.embedded.StoreAccess;
import dev.elasticrun.worker.contract.TlsFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;

/**
 * An embedded store in this process for agents of one run on this host: it outlives each of them. Agents reach it by
 * {@code --rdzv-backend embedded}, {@code --rdzv-endpoint} and {@code --run-key-file}.
 */
public final class RunStore implements AutoCloseable {
    /** Where agents of this host reach it. */
    public static final String LOOPBACK = "127.0.0.1";

    private static final int KEY_BYTES = 32;

    private final EmbeddedEtcdServer server;
    private final Path keyFile;

    private RunStore(EmbeddedEtcdServer server, Path keyFile) {
        this.server = server;
        this.keyFile = keyFile;
    }

    /**
     * Mints a run key and serves at a free port of an address, over TLS if agents that listen there encrypt.
     *
     * @param config of the agents
     * @param directory where the key is written, for this user only
     * @param address of this host, as a number
     * @throws UncheckedIOException when the key cannot be written or certificates cannot be read
     */
    public static RunStore serve(LaunchConfig config, String runId, Path directory, String address) {
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        Path keyFile = directory.resolve("run.key").toAbsolutePath();
        try {
            PrivateFiles.replace(directory.resolve(".run.key"), keyFile, key);
            Optional<RunTls> tls = tls(config, runId, address);
            tls.ifPresent(made -> made.known(key));
            ConnectionGate gate = new ConnectionGate();
            EmbeddedEtcdServer server = EmbeddedEtcdServer.start(
                    address,
                    0,
                    StoreAccess.of(StoreOpener.storeSecret(key)),
                    tls.map(RunTls::server).orElse(null),
                    new EmbeddedEtcdServer.Listening(
                            HandshakeWatch.channels(gate::admit, (protocol, from, why) -> {}), gate, true));
            return new RunStore(server, keyFile);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot serve a store for run " + runId, e);
        }
    }

    private static Optional<RunTls> tls(LaunchConfig config, String runId, String address) throws IOException {
        Optional<TlsFiles> files = TlsChecks.nodeFiles(config.tls());
        if (files.isPresent()) {
            return Optional.of(RunTls.given(GivenTls.read(files.get())));
        }
        boolean isLocal = InetAddress.getByName(address).isLoopbackAddress();
        return config.get(Settings.TLS) || (!isLocal && !config.get(Settings.INSECURE))
                ? Optional.of(RunTls.generated(runId, "store", List.of("localhost", address)))
                : Optional.empty();
    }

    /** HOST:PORT. */
    public String endpoint() {
        return server.endpoint();
    }

    /** What agents take as {@code --run-key-file}. */
    public Path keyFile() {
        return keyFile;
    }

    /** Flags by which agents reach it. */
    public List<String> options() {
        return List.of(
                Settings.RDZV_BACKEND.option(),
                "embedded",
                Settings.RDZV_ENDPOINT.option(),
                endpoint(),
                Settings.RUN_KEY_FILE.option(),
                keyFile.toString());
    }

    @Override
    public void close() {
        server.close();
    }
}
