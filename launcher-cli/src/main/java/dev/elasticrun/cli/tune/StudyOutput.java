/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.tune;

import dev.elasticrun.agent.RunStore;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.tune.study.StudyConfig;
import dev.elasticrun.tune.trial.TrialTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** The directory of a study: its results, logs, and while its driver serves the store, where that is. */
record StudyOutput(Path directory) {
    private static final String STORE = "store";

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

    void write(StudyConfig study, TrialTable table) {
        create();
        StudyResults results = new StudyResults(table);
        write("results.csv", results.csv());
        write("results.json", results.json());
        write("results.html", StudyPage.of(study.name(), table, study.space()));
    }

    private void write(String name, String text) {
        try {
            Files.writeString(directory.resolve(name), text);
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
