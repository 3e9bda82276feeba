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
    private static final String SETTINGS = "hadoop.xml";

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
    Path writeKey(byte[] key) throws IOException {
        return write(KEY, key);
    }

    /** Writes settings of file systems, for this user only: there may be keys to storage among them. */
    Path writeSettings(byte[] settings) throws IOException {
        return write(SETTINGS, settings);
    }

    private Path write(String name, byte[] content) throws IOException {
        Path file = Files.createFile(
                directory.resolve(name),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.write(file, content);
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(directory.resolve(KEY));
            Files.deleteIfExists(directory.resolve(SETTINGS));
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            // Spark deletes it.
        }
    }
}
