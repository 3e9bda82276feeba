/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.cli.client.EventFiles;
import dev.elasticrun.cli.client.RunEvents;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.RemoteFlags;
import dev.elasticrun.cli.runs.WorkerLog;
import dev.elasticrun.cli.text.PlainText;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What workers of a run wrote that has no agent here any more, from its files on this host.
 *
 * @param run its directory
 */
record EndedLogs(Path run) {
    /** Empty when an agent can be asked, or there are no files. */
    static Optional<EndedLogs> of(Invocation call) {
        Optional<String> runId = call.value("--run-id");
        boolean isLive = RemoteFlags.areGiven(call)
                || !runId.map(LocalRuns::find).orElseGet(LocalRuns::find).isEmpty();
        return isLive && call.value(RunEvents.LOG_DIR).isEmpty()
                ? Optional.empty()
                : EventFiles.find(RunEvents.logDirectory(call), runId).map(EndedLogs::new);
    }

    /**
     * Prints each line after its node, local rank and attempt, in the order in which a worker wrote them; standard
     * error on standard error. Each of the two ends when it has no reader any more.
     *
     * @param raw whether control characters are printed as they are
     */
    void show(boolean raw, PrintStream out, PrintStream err) {
        for (WorkerLog log : WorkerLog.of(run)) {
            String prefix = "[" + log.node() + " " + log.worker() + "]: ";
            PrintStream to = log.isError() ? err : out;
            log.forEachLine(line -> {
                to.println(prefix + (raw ? line : PlainText.colouredLine(line)));
                return !to.checkError();
            });
        }
    }
}
