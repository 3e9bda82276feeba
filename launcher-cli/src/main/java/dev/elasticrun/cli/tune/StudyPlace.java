/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.tune;

import dev.elasticrun.agent.RemoteRuns;
import dev.elasticrun.agent.RunStore;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.directory.PrivateFiles;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.LaunchConfigBuilder;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;

/**
 * Where a study's driver and agents meet: a store that is given, or one in this process.
 *
 * @param served the one in this process; empty = it is another's
 * @param launch with the flags by which agents reach the store
 */
record StudyPlace(Optional<RunStore> served, RendezvousStore store, byte[] key, LaunchConfig launch)
        implements AutoCloseable {
    private static final int KEY_BYTES = 32;
    private static final String KEY_FILE = "pool.key";

    /**
     * @param directory for the key, if none is given
     * @throws UsageException if the store cannot be reached
     */
    static StudyPlace open(LaunchConfig launch, String study, Path directory) {
        if (launch.store().meetsNobody()) {
            RunStore served = RunStore.serve(launch, study, directory, RunStore.LOOPBACK);
            LaunchConfig reached = launch.toBuilder()
                    .standalone(false)
                    .rdzvBackend("embedded")
                    .rdzvEndpoints(List.of(served.endpoint()))
                    .runKeyFile(served.keyFile())
                    .unchecked();
            return connect(Optional.of(served), reached, study);
        }
        LaunchConfigBuilder builder = launch.toBuilder();
        if (launch.store().runKeyFile().isEmpty()) {
            builder.runKeyFile(mint(directory));
        }
        return connect(Optional.empty(), builder.unchecked(), study);
    }

    /** As {@link #open}, for an agent, which serves no store and mints no key. */
    static StudyPlace join(LaunchConfig launch, String pool) {
        if (launch.store().endpoints().isEmpty()) {
            throw UsageException.of("--rdzv-endpoint", "missing", "the store of the pool");
        }
        if (launch.store().runKeyFile().isEmpty()) {
            throw UsageException.of(
                    "--run-key-file", "missing", "the key of the pool: what its agents run is proved with it");
        }
        return connect(Optional.empty(), launch, pool);
    }

    private static StudyPlace connect(Optional<RunStore> served, LaunchConfig launch, String name) {
        return new StudyPlace(served, store(launch, name), key(launch.store().runKeyFile()), launch);
    }

    /**
     * A connection for a look, which needs no key of a pool.
     *
     * @throws dev.elasticrun.agent.launch.LaunchConfigException if the store does not answer
     */
    static RendezvousStore store(LaunchConfig launch, String name) {
        LaunchConfig named = launch.toBuilder().runId(name).unchecked();
        return RemoteRuns.connect(new RemoteRuns.Wanted(named.values()));
    }

    private static byte[] key(Optional<Path> file) {
        try {
            return Files.readAllBytes(file.orElseThrow());
        } catch (IOException e) {
            throw UsageException.of(
                    Settings.RUN_KEY_FILE.option(), file.orElseThrow().toString(), "a readable file; " + e);
        }
    }

    // A driver that continues a study finds the key of its agents.
    private static Path mint(Path directory) {
        Path file = directory.resolve(KEY_FILE);
        try {
            if (!Files.exists(file)) {
                byte[] key = new byte[KEY_BYTES];
                new SecureRandom().nextBytes(key);
                PrivateFiles.replace(directory.resolve("." + KEY_FILE), file, key);
            }
            return file.toAbsolutePath();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the key of the pool", e);
        }
    }

    @Override
    public void close() {
        store.close();
        served.ifPresent(RunStore::close);
    }
}
