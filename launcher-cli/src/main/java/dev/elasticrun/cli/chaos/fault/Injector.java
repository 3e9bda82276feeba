/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.fault;

import dev.elasticrun.cli.agents.AgentGroup;
import dev.elasticrun.cli.agents.LocalAgent;
import dev.elasticrun.cli.client.EventFiles;
import dev.elasticrun.proto.NodeStatus;
import dev.elasticrun.proto.StatusReply;
import dev.elasticrun.proto.WorkerStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Injects faults into a run. A victim is a process that the run's own agents name, and a child of an agent that this
 * process started, or such an agent. One thread.
 */
public final class Injector {
    private static final String STANDALONE = "with --standalone the store ends with the agent";
    private static final String ALONE = "no second agent had a worker in the round";
    private static final String NO_NETWORK = "the agents have no network of their own";
    private static final String NO_WORKER = "no worker was alive";
    private static final String NO_AGENT = "no agent, or not the one that is coordinator, was alive";

    private final AgentGroup group;
    private final Optional<ChaosNetwork> network;
    private final Path runDirectory;
    private final boolean standalone;
    private final boolean single;
    private final Map<String, Long> agentPids = new HashMap<>();
    private final Set<ProcessHandle> stopped = new HashSet<>();

    /** For agents without a network of their own. */
    public Injector(AgentGroup group, Path runDirectory, boolean standalone, boolean single) {
        this(group, Optional.empty(), runDirectory, standalone, single);
    }

    /**
     * @param network on whose hosts the agents are
     * @param runDirectory logs of the run, below it of each node
     * @param single whether the run has one node at most
     */
    public Injector(
            AgentGroup group, Optional<ChaosNetwork> network, Path runDirectory, boolean standalone, boolean single) {
        this.group = group;
        this.network = network;
        this.runDirectory = runDirectory;
        this.standalone = standalone;
        this.single = single;
    }

    private record Victim(LocalAgent agent, String node, boolean hasRank, ProcessHandle process) {}

    /** @param status newest answer of an agent */
    public Fault inject(FaultSchedule.Planned planned, Optional<StatusReply> status) {
        return switch (planned.kind()) {
            case WORKER, HANG -> injectIntoWorker(planned, status);
            case NODE -> injectIntoAgent(planned, status, group.live());
            case COORDINATOR ->
                injectIntoAgent(
                        planned,
                        status,
                        status.flatMap(reply -> agent(reply.getCoordinator())).stream()
                                .toList());
            case PARTITION ->
                network.map(cuts -> injectIntoAgent(
                                planned,
                                status,
                                group.live().stream()
                                        .filter(agent -> !isCut(agent))
                                        .toList()))
                        .orElseGet(() -> Fault.leftOut(planned, System.nanoTime(), NO_NETWORK));
        };
    }

    private Fault injectIntoWorker(FaultSchedule.Planned planned, Optional<StatusReply> status) {
        boolean stops = planned.kind() == FaultKind.HANG;
        List<Victim> candidates = status.map(this::workers).orElse(List.of()).stream()
                .filter(victim -> !stops || !stopped.contains(victim.process()))
                .toList();
        if (candidates.isEmpty()) {
            return Fault.leftOut(planned, System.nanoTime(), NO_WORKER);
        }
        Victim victim = planned.choose(candidates);
        long nanos = System.nanoTime();
        if (stops) {
            stopped.add(victim.process());
            if (!stop(victim.process())) {
                return Fault.leftOut(
                        planned, nanos, "process " + victim.process().pid() + " could not be stopped");
            }
        } else {
            victim.process().destroyForcibly();
        }
        return new Fault(planned, nanos, victim.node(), victim.process().pid(), "");
    }

    private Fault injectIntoAgent(
            FaultSchedule.Planned planned, Optional<StatusReply> status, List<LocalAgent> candidates) {
        if (standalone) {
            return Fault.leftOut(planned, System.nanoTime(), STANDALONE);
        }
        if (candidates.isEmpty()) {
            return Fault.leftOut(planned, System.nanoTime(), NO_AGENT);
        }
        LocalAgent agent = planned.choose(candidates);
        List<Victim> all = status.map(this::workers).orElse(List.of());
        // One that has just been started has nothing yet with which the run could go on.
        if (!single
                && all.stream()
                        .noneMatch(worker -> worker.agent() != agent && worker.hasRank() && !isCut(worker.agent()))) {
            return Fault.leftOut(planned, System.nanoTime(), ALONE);
        }
        List<ProcessHandle> workers = all.stream()
                .filter(worker -> worker.agent() == agent)
                .map(Victim::process)
                .toList();
        String node = status.flatMap(reply -> node(reply, agent)).orElse("");
        long nanos = System.nanoTime();
        if (planned.kind().killsAgent()) {
            group.kill(agent, workers);
        } else {
            network.ifPresent(one -> agent.host().ifPresent(host -> one.cut(host, nanos)));
        }
        return new Fault(planned, nanos, node, agent.pid(), "");
    }

    private boolean isCut(LocalAgent agent) {
        return network.flatMap(one -> agent.host().map(one::isCut)).orElse(false);
    }

    // In the order of agents, and of each in that of its slots.
    private List<Victim> workers(StatusReply status) {
        List<Victim> found = new ArrayList<>();
        for (LocalAgent agent : group.live()) {
            for (NodeStatus node : status.getNodesList()) {
                for (WorkerStatus worker : node.getWorkersList()) {
                    agent.worker(worker.getPid())
                            .ifPresent(process ->
                                    found.add(new Victim(agent, node.getNodeId(), worker.getRank() >= 0, process)));
                }
            }
        }
        return found;
    }

    private Optional<LocalAgent> agent(String node) {
        OptionalLong pid = pid(node);
        return group.live().stream()
                .filter(agent -> pid.isPresent() && agent.pid() == pid.getAsLong())
                .findFirst();
    }

    // An agent that starts over is another node: the last one counts.
    private Optional<String> node(StatusReply status, LocalAgent agent) {
        return status.getNodesList().stream()
                .map(NodeStatus::getNodeId)
                .filter(node -> pid(node).orElse(0) == agent.pid())
                .reduce((first, last) -> last);
    }

    private OptionalLong pid(String node) {
        Long known = agentPids.get(node);
        if (known != null) {
            return OptionalLong.of(known);
        }
        Path directory = runDirectory.resolve(node).normalize();
        if (node.isEmpty() || !directory.startsWith(runDirectory)) {
            return OptionalLong.empty();
        }
        OptionalLong found = EventFiles.agentPid(directory);
        found.ifPresent(pid -> agentPids.put(node, pid));
        return found;
    }

    private static boolean stop(ProcessHandle process) {
        try {
            Process kill = new ProcessBuilder("kill", "-s", "STOP", Long.toString(process.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return kill.waitFor(1, TimeUnit.SECONDS) && kill.exitValue() == 0;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run kill", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Kills what was stopped and still is: an agent would wait for it at the end. */
    public void killStopped() {
        stopped.stream().filter(ProcessHandle::isAlive).forEach(ProcessHandle::destroyForcibly);
    }
}
