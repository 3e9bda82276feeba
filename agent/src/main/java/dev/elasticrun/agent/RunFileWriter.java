/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.context.AgentContext;
import dev.elasticrun.agent.directory.RunDirectory;
import dev.elasticrun.agent.launch.Endpoint;
import dev.elasticrun.agent.store.RunFile;
import dev.elasticrun.worker.contract.Daemons;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes where other agents and the commands of this host find this agent. What cannot be written is a warning. */
final class RunFileWriter {
    private static final Logger LOG = LoggerFactory.getLogger(RunFileWriter.class);

    private final AgentContext context;
    private final RunDirectory runDirectory;
    private final AgentWeb web;

    RunFileWriter(AgentContext context, RunDirectory runDirectory, AgentWeb web) {
        this.context = context;
        this.runDirectory = runDirectory;
        this.web = web;
    }

    /** Agents that find the store here before its run is joined wait the longer for it. Blocks. */
    void serving(List<String> endpoints) {
        RunFile file = new RunFile(
                context.runId(),
                context.incarnation(),
                context.nodeId(),
                endpoints,
                "",
                "",
                RunFile.Served.NOTHING,
                null);
        try {
            runDirectory.writeStoreFile(file.encode());
        } catch (IOException e) {
            LOG.warn("cannot write serving.json, other agents of this host will not wait long for this one", e);
        }
    }

    /** The run is joined: written beside the loop, once it is known where the page is served. */
    void joined(String incarnation, List<String> endpoints, int controlPort) {
        String control = new Endpoint(context.settings().address(), controlPort).text();
        String logs = context.runLogs().toString();
        Daemons.start("run-file", () -> {
            RunFile file = new RunFile(
                    context.runId(),
                    incarnation,
                    context.nodeId(),
                    endpoints,
                    control,
                    logs,
                    web.served(),
                    context.tls().isPresent() ? runDirectory.tls() : null);
            try {
                runDirectory.writeRunFile(file.encode());
            } catch (IOException e) {
                LOG.warn("cannot write run.json, commands will not find this agent", e);
            }
        });
    }
}
