/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.directory.OwnDirectory;
import dev.elasticrun.agent.directory.RunDirectory;
import dev.elasticrun.agent.store.RunFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The live agents of this user on this host. */
public final class LocalRuns {
    private LocalRuns() {}

    /**
     * An agent and how to prove to it that the caller may ask.
     *
     * @param key the run's key; the caller's own copy
     */
    public record LocalRun(RunFile file, byte[] key) {}

    /**
     * Agents that have joined their run. One that ends while this looks may be missing or may not answer later.
     *
     * @throws UncheckedIOException when a directory of a live agent cannot be read
     */
    public static List<LocalRun> find() {
        try {
            List<LocalRun> found = new ArrayList<>();
            for (Path directory : RunDirectory.find()) {
                read(directory).ifPresent(found::add);
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look for agents on this host", e);
        }
    }

    /** As {@link #find()}, of one run. */
    public static List<LocalRun> find(String runId) {
        return find().stream().filter(run -> run.file().run().equals(runId)).toList();
    }

    /** Where agents of this user keep logs, below it by run and node, unless another directory is configured. */
    public static Path logDirectory() {
        return SettingValues.DEFAULTS.get(Settings.LOG_DIR);
    }

    /**
     * Describes why the contents of that directory may belong to another user; empty when they are this user's, or when
     * it does not exist.
     */
    public static Optional<String> logDirectoryObjection() {
        return logDirectoryObjection(logDirectory());
    }

    /** The same of any directory. */
    public static Optional<String> logDirectoryObjection(Path directory) {
        try {
            return OwnDirectory.objection(directory);
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("cannot be looked at: " + e);
        }
    }

    private static Optional<LocalRun> read(Path directory) throws IOException {
        try {
            Optional<RunFile> file = RunFile.read(directory);
            return file.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new LocalRun(file.get(), RunDirectory.readKey(directory)));
        } catch (NoSuchFileException ended) {
            return Optional.empty();
        }
    }
}
