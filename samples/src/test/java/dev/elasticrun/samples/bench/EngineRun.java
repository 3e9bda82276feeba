/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.samples.testing.NodeLogs;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.testing.Processes;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The run that all engines start in the same way.
 *
 * @param directory its own, where its steps are and the logs of all agents
 * @param endpoint of the store
 */
record EngineRun(String id, Path directory, String endpoint) {
    private static final int STEP_MILLIS = 50;

    /** Of an agent, but for the name of the run. */
    List<String> options() {
        return List.of(
                "--nnodes=1:" + Engine.NODES,
                "--nproc-per-node=1",
                "--rdzv-endpoint=" + endpoint,
                "--restart-policy=soft",
                "--class-path=" + Project.TEST_CLASS_PATH,
                "--main-class=" + StepLogWorker.class.getName());
    }

    List<String> program() {
        return List.of(Project.PROGRAM.toString(), Integer.toString(STEP_MILLIS), directory.toString());
    }

    StepLog steps() {
        return StepLog.read(directory);
    }

    /**
     * A running agent.
     *
     * @param environment text of its environment that no other agent of the run has
     */
    ProcessHandle agent(String environment) {
        Set<Long> agents = new NodeLogs(directory, () -> "")
                .byNode().values().stream()
                        .flatMap(log -> log.all(RunEvent.RunJoined.class).stream())
                        .map(RunEvent.RunJoined::pid)
                        .collect(Collectors.toSet());
        return Processes.carrying(environment, List.of()).stream()
                .map(Processes.Found::handle)
                .filter(handle -> agents.contains(handle.pid()))
                .findFirst()
                .orElseThrow();
    }
}
