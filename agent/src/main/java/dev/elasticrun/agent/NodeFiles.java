/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.logs.LogNames;
import java.nio.file.Path;

/**
 * Where a node keeps its logs: {@code <log-dir>/<run-id>/<nodeId>/}, where nothing is ever deleted by a restart.
 */
record NodeFiles(Path logDir, String runId, String nodeId) {

    /** Of the run on this host: it has a directory for each node. */
    Path run() {
        return logDir.resolve(runId).toAbsolutePath();
    }

    Path directory() {
        return run().resolve(nodeId);
    }

    Path events() {
        return directory().resolve(LogNames.EVENTS);
    }

    Path stdout(int slot, int attempt) {
        return LogNames.output(directory(), slot, attempt, false);
    }

    Path stderr(int slot, int attempt) {
        return LogNames.output(directory(), slot, attempt, true);
    }

    Path error(int slot, int attempt) {
        return LogNames.worker(directory(), slot, attempt).resolve("error.json");
    }
}
