/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import java.nio.file.Path;
import java.util.List;

/** Where workers' output is kept. */
public record LogOptions(SettingValues values) {
    /** Logs are below it, by run and node. */
    public Path directory() {
        return values.get(Settings.LOG_DIR);
    }

    public List<String> stdoutFilters() {
        return values.get(Settings.DUPLICATE_STDOUT_FILTERS);
    }

    public List<String> stderrFilters() {
        return values.get(Settings.DUPLICATE_STDERR_FILTERS);
    }

    /** Size from which a log is rotated; 0 = never. */
    public long maxBytes() {
        return values.get(Settings.LOG_MAX_SIZE);
    }

    public int maxFiles() {
        return values.get(Settings.LOG_MAX_FILES);
    }

    /** Whether the logs have to be read although there is no console. */
    public boolean areRead() {
        return maxBytes() > 0 || !stdoutFilters().isEmpty() || !stderrFilters().isEmpty();
    }
}
