/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.LoggedEvent;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The two agents of one row of the table of faults, by what is to be done to them. */
final class FaultScene {
    private final TestRun run;
    private final int slots;
    private final Map<AgentProcess, Integer> agents = new LinkedHashMap<>();
    private final List<AgentProcess> everStarted = new ArrayList<>();

    FaultScene(TestRun run, int slots) {
        this.run = run;
        this.slots = slots;
    }

    /** @param exitCode what it is expected to end with */
    void start(int exitCode, List<String> options, List<String> program) {
        AgentProcess agent = run.agent(options, program);
        agents.put(agent, exitCode);
        everStarted.add(agent);
    }

    /** A file that workers can be given. */
    Path file(String name) {
        return run.directory().resolve(name);
    }

    AgentProcess agent(int index) {
        return List.copyOf(agents.keySet()).get(index);
    }

    /** Agents that are to end by themselves, and their exit codes. */
    Map<AgentProcess, Integer> ends() {
        return agents;
    }

    /** Events of all agents there were, also of those that were killed. */
    List<dev.elasticrun.agent.events.LoggedEvent> events() {
        return everStarted.stream()
                .flatMap(agent -> agent.log().everything().stream())
                .map(event -> dev.elasticrun.agent.events.LoggedEvent.parse(
                        event.fields().toString()))
                .flatMap(Optional::stream)
                .toList();
    }

    /** This agent is to end otherwise, or not at all. */
    void expect(AgentProcess agent, int exitCode) {
        agents.put(agent, exitCode);
    }

    /** Until the death of each agent would be noticed by its connections; they must be verbose. */
    void awaitLinks() {
        Links.await(agents.keySet().toArray(AgentProcess[]::new));
    }

    void kill(AgentProcess agent) {
        agents.remove(agent);
        agent.jvm().destroyForcibly();
    }

    AgentProcess coordinator() {
        return agents.keySet().stream()
                .filter(agent -> !agent.log().all("coordinator.elected").isEmpty())
                .findFirst()
                .orElseThrow();
    }

    AgentProcess other(AgentProcess one) {
        return agents.keySet().stream()
                .filter(agent -> agent != one)
                .findFirst()
                .orElseThrow();
    }

    void awaitWorkers() {
        Patience.until(
                slots + " workers of each agent",
                TestRun.LIMIT,
                () -> agents.keySet().stream()
                        .allMatch(agent -> agent.log().running().size() == slots),
                this::consoles);
    }

    void signal(int rank, String signal) {
        AgentProcess owner = owner(rank);
        long pid = owner.log().running().get(rank - firstRank(owner)).pid();
        AgentProcess.send(signal, owner.worker(pid));
    }

    /** The agent that has this rank; -1: the second one, with its only rank. */
    AgentProcess owner(int rank) {
        return rank < 0
                ? agent(1)
                : agents.keySet().stream()
                        .filter(agent -> firstRank(agent) >= 0)
                        .filter(agent -> rank >= firstRank(agent) && rank < firstRank(agent) + slots)
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException("rank: " + rank + "; " + consoles()));
    }

    static int firstRank(AgentProcess agent) {
        List<LoggedEvent> published = new ArrayList<>(agent.log().all("work.published"));
        return published.isEmpty()
                ? -1
                : (int) published.get(published.size() - 1).number("rank");
    }

    private String consoles() {
        return agents.keySet().stream().map(AgentProcess::console).collect(Collectors.joining("\n"));
    }
}
