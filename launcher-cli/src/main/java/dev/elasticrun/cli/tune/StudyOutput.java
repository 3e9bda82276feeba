/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.tune;

import dev.elasticrun.agent.RunStore;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.tune.study.StudyConfig;
import dev.elasticrun.tune.trial.TrialTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** The directory of a study: its results, logs, and while its driver serves the store, where that is. */
record StudyOutput(Path directory) {
    private static final String STORE = "store";
    private static final String LOCK = "lock";

    static StudyOutput of(TuneOptions options, String study) {
        return new StudyOutput(options.output().orElseGet(() -> Path.of(study)).toAbsolutePath());
    }

    /** @throws UsageException if it cannot be made */
    void create() {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw UsageException.of(
                    "--output", directory.toString(), "a directory that is there, or can be created; " + e);
        }
    }

    /** Of the one process that drives a study here; nothing is left of it. */
    record Lock(Path file, FileChannel channel) implements AutoCloseable {
        @Override
        public void close() {
            try {
                Files.deleteIfExists(file);
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot delete " + file, e);
            }
        }
    }

    /**
     * Takes the directory, until the lock is closed.
     *
     * @throws UsageException if another process has it
     */
    Lock lock() {
        Path file = directory.resolve(LOCK);
        try {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (channel.tryLock() == null) {
                channel.close();
                throw UsageException.of(
                        "--output", directory.toString(), "a directory in which no other process drives a study");
            }
            return new Lock(file, channel);
        } catch (IOException e) {
            throw UsageException.of("--output", directory.toString(), "a directory that can be written; " + e);
        }
    }

    void write(StudyConfig study, TrialTable table) {
        create();
        StudyResults results = new StudyResults(table);
        write("results.csv", results.csv());
        write("results.json", results.json());
        page(study, table);
    }

    /** The page alone. */
    void page(StudyConfig study, TrialTable table) {
        write("results.html", StudyPage.of(study.name(), table, study.space()));
    }

    // As a whole: others may read it meanwhile, and export it as well.
    private void write(String name, String text) {
        String own = name + "." + ProcessHandle.current().pid();
        try {
            Path next = Files.writeString(directory.resolve(own), text);
            Files.move(next, directory.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + directory.resolve(name), e);
        }
    }

    /** Others find the store that is served here. */
    void serving(RunStore store) {
        write(STORE, store.endpoint() + "\n" + store.keyFile() + "\n");
    }

    /** Nobody finds it any more. */
    void served(RunStore store) {
        try {
            Files.deleteIfExists(directory.resolve(STORE));
            Files.deleteIfExists(store.keyFile());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + directory.resolve(STORE), e);
        }
    }

    /** With the store that is served here, unless another one is given. */
    LaunchConfig reached(LaunchConfig launch) {
        if (!launch.store().endpoints().isEmpty()) {
            return launch;
        }
        try {
            List<String> lines = Files.readAllLines(directory.resolve(STORE));
            return launch.toBuilder()
                    .rdzvBackend("embedded")
                    .rdzvEndpoints(List.of(lines.get(0)))
                    .runKeyFile(Path.of(lines.get(1)))
                    .unchecked();
        } catch (NoSuchFileException nobody) {
            return launch;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + directory.resolve(STORE), e);
        }
    }
}
