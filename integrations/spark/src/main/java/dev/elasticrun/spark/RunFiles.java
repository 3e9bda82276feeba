/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.spark.SparkFiles;

/**
 * A directory for one run in this process, which others cannot read: within Spark's own for files, which it deletes with
 * all that is left in it when the process ends.
 */
record RunFiles(Path directory) implements AutoCloseable {
    private static final String KEY = "run.key";

    static RunFiles create() throws IOException {
        return new RunFiles(Files.createTempDirectory(root(), "elastic-run-"));
    }

    /** Spark's directory, which outlives all runs. */
    static Path root() {
        return Path.of(SparkFiles.getRootDirectory()).toAbsolutePath();
    }

    /** Where the logs of all runs are, if nothing else is stated. */
    static Path logs() {
        return root().resolve("elastic-run-logs");
    }

    /** Writes the run's key, for this user only. */
    Path write(byte[] key) throws IOException {
        Path file = Files.createFile(
                directory.resolve(KEY),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.write(file, key);
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(directory.resolve(KEY));
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            // Spark deletes it.
        }
    }
}
