/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.agent.logs.LogNames;
import java.nio.file.Path;

/**
 * Where a node keeps its logs: {@code <log-dir>/<run-id>/<nodeId>/}, where nothing is ever deleted by a restart.
 */
public record NodeFiles(Path logDir, String runId, String nodeId) {

    /** Of the run on this host: it has a directory for each node. */
    public Path run() {
        return logDir.resolve(runId).toAbsolutePath();
    }

    public Path directory() {
        return run().resolve(nodeId);
    }

    public Path events() {
        return directory().resolve(LogNames.EVENTS);
    }

    public Path stdout(int slot, int attempt) {
        return LogNames.output(directory(), slot, attempt, false);
    }

    public Path stderr(int slot, int attempt) {
        return LogNames.output(directory(), slot, attempt, true);
    }

    public Path error(int slot, int attempt) {
        return LogNames.worker(directory(), slot, attempt).resolve("error.json");
    }
}
