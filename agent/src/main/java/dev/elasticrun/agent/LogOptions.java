/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Where workers' output is kept.
 *
 * @param directory logs are below it, by run and node
 * @param stdoutFilters texts whose lines are collected from all standard outputs
 * @param stderrFilters texts whose lines are collected from all standard errors
 * @param maxBytes size from which a log is rotated; 0 = never
 * @param maxFiles how many rotated parts of a log are kept
 */
public record LogOptions(
        Path directory, List<String> stdoutFilters, List<String> stderrFilters, long maxBytes, int maxFiles) {
    static final LogOptions DEFAULT = new LogOptions(LaunchDefaults.logDir(), List.of(), List.of(), 0, 10);

    public LogOptions {
        Objects.requireNonNull(directory, "directory");
        stdoutFilters = List.copyOf(stdoutFilters);
        stderrFilters = List.copyOf(stderrFilters);
    }

    /** Whether somebody has to read the logs although there is no console. */
    boolean areRead() {
        return maxBytes > 0 || !stdoutFilters.isEmpty() || !stderrFilters.isEmpty();
    }

    LogOptions withDirectory(Path value) {
        return new LogOptions(value, stdoutFilters, stderrFilters, maxBytes, maxFiles);
    }

    LogOptions withStdoutFilters(List<String> value) {
        return new LogOptions(directory, value, stderrFilters, maxBytes, maxFiles);
    }

    LogOptions withStderrFilters(List<String> value) {
        return new LogOptions(directory, stdoutFilters, value, maxBytes, maxFiles);
    }

    LogOptions withMaxBytes(long value) {
        return new LogOptions(directory, stdoutFilters, stderrFilters, value, maxFiles);
    }

    LogOptions withMaxFiles(int value) {
        return new LogOptions(directory, stdoutFilters, stderrFilters, maxBytes, value);
    }
}
