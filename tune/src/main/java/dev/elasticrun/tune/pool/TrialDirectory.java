/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.pool;

import dev.elasticrun.agent.directory.PrivateFiles;
import dev.elasticrun.worker.contract.TrialFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The directory that the workers of a trial share with their agent. */
record TrialDirectory(TrialFiles files) {
    private static final Logger LOG = LoggerFactory.getLogger(TrialDirectory.class);
    private static final String ALL = ".trials";

    /** Empty, below a directory of logs: an agent that is killed leaves it there. */
    static TrialDirectory create(Path logs, String name) {
        Path directory = logs.resolve(ALL).resolve(name).toAbsolutePath();
        try {
            Files.createDirectories(directory, PrivateFiles.DIRECTORY);
            TrialDirectory made = new TrialDirectory(new TrialFiles(directory));
            made.deleteFiles();
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the directory of a trial", e);
        }
    }

    void control(byte[] control) {
        try {
            PrivateFiles.replace(files.directory().resolve("control.new"), files.control(), control);
        } catch (IOException e) {
            // Its workers wait; the trial is started again if they wait for too long.
            LOG.error("cannot write how far a trial may go", e);
        }
    }

    void delete() {
        try {
            deleteFiles();
            Files.deleteIfExists(files.directory());
        } catch (IOException e) {
            LOG.warn("cannot delete the directory of a trial: {}", e.toString());
        }
    }

    private void deleteFiles() throws IOException {
        for (Path file : List.of(files.reports(), files.control())) {
            Files.deleteIfExists(file);
        }
    }
}
