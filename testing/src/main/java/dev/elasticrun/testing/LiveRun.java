/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import dev.elasticrun.agent.RunStore;
import dev.elasticrun.cli.agents.AgentGroup;
import dev.elasticrun.cli.agents.AgentLine;
import dev.elasticrun.cli.agents.LauncherCommand;
import dev.elasticrun.cli.agents.LocalAgent;
import dev.elasticrun.cli.agents.LocalStatus;
import dev.elasticrun.cli.agents.RunWatch;
import dev.elasticrun.cli.agents.Sample;
import dev.elasticrun.cli.agents.StatusSource;
import dev.elasticrun.cli.chaos.fault.Injector;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Agents of one run on this host, with a store in this process if their line names none, or on the hosts of a network with
 * a store of its own, and what they report. A thread of its own starts them: the kernel kills an agent when the thread ends
 * that started it, and a thread of a test may end long before its run. Any thread; {@link #end} is called once.
 */
final class LiveRun {
    private static final Duration LOOK_EVERY = Duration.ofMillis(50);

    private final AgentLine line;
    private final String mark;
    private final @Nullable RunStore store;
    private final Optional<TestNetwork> network;
    private final AgentGroup group;
    private final EventReader events;
    private final RunWatch watch;
    private final ExecutorService starter =
            Executors.newSingleThreadExecutor(work -> daemon(new Thread(work, "agent-starter")));

    /**
     * @param variables of all processes of the run, beside those of this one
     * @param mark one of the variables, as {@code NAME=VALUE}, by which its processes are found again
     * @param directory for the output of agents
     * @param network whose hosts the agents run on; empty = this host
     */
    LiveRun(AgentLine line, Map<String, String> variables, String mark, Path directory, Optional<TestNetwork> network) {
        this.line = line;
        // With the end of the variable: the name of a directory may be the begin of that of another one.
        this.mark = mark + '\0';
        this.network = network;
        List<String> options = List.of();
        StatusSource status = new LocalStatus(line.runId());
        RunStore served = null;
        if (network.isPresent()) {
            StoreProcess process = StoreProcess.start(network.get(), line, variables, directory);
            options = process.options();
            status = process;
        } else if (line.needsStore()) {
            served = RunStore.serve(line.config(), line.runId(), directory, RunStore.LOOPBACK);
            options = served.options();
        }
        this.store = served;
        this.group = new AgentGroup(
                LauncherCommand.find(System.getenv()),
                line.arguments(options),
                environment -> environment.putAll(variables),
                network.map(TestNetwork::agents),
                directory,
                // At the end agents are killed, not drained.
                Duration.ZERO);
        this.events = new EventReader(runDirectory());
        this.watch = new RunWatch(status, group);
    }

    private static Thread daemon(Thread thread) {
        thread.setDaemon(true);
        return thread;
    }

    LocalAgent startAgent() {
        Future<LocalAgent> started = starter.submit(group::start);
        try {
            return started.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("cannot start an agent", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** In the order of starts. */
    List<LocalAgent> agents() {
        return group.all();
    }

    /** Where an agent runs; empty = on this host. */
    Optional<TestHost> host(LocalAgent agent) {
        return network.map(hosts -> hosts.host(agent.number()));
    }

    EventReader events() {
        return events;
    }

    /** The newest answer of an agent; at most half a second behind the workers. */
    Optional<Sample> newestSample() {
        return watch.newestSample();
    }

    Injector injector() {
        return new Injector(
                group, runDirectory(), line.isStandalone(), line.config().size().maxNodes() == 1);
    }

    RunWatch watch() {
        return watch;
    }

    Path runDirectory() {
        return line.logDirectory().resolve(line.runId());
    }

    /** The agent of a node. */
    Optional<LocalAgent> agent(RunView view, String node) {
        return agents().stream()
                .filter(agent -> view.node(agent.pid()).filter(node::equals).isPresent())
                .findFirst();
    }

    /** The process of a worker, if neither it nor its agent has ended or is stopped. */
    Optional<ProcessHandle> running(RunView view, RunView.Slot slot) {
        return agent(view, slot.node())
                .filter(agent -> runs(agent.process().toHandle()))
                .flatMap(agent -> agent.worker(slot.pid()))
                .filter(LiveRun::runs);
    }

    private static boolean runs(ProcessHandle process) {
        return Processes.isRunning(process) && !Processes.isStopped(process);
    }

    /** Sends SIGKILL to an agent and its workers; returns when they have ended. */
    void kill(LocalAgent agent) {
        List<ProcessHandle> workers = signal(agent);
        Signals.awaitEnd(agent.process().toHandle());
        workers.forEach(Signals::awaitEnd);
    }

    private List<ProcessHandle> signal(LocalAgent agent) {
        List<ProcessHandle> workers =
                events.read(view -> view.node(agent.pid()).map(view::slots).orElse(List.of()).stream()
                        .flatMap(slot -> agent.worker(slot.pid()).stream())
                        .toList());
        group.kill(agent, workers);
        return workers;
    }

    /**
     * Kills all that still runs; returns what was left after that and is killed now, too.
     *
     * @param goneWithin how long guards have to end what an agent that was killed has left
     */
    List<Processes.Found> end(Duration goneWithin) {
        watch.close();
        // From now on no agent is started.
        starter.shutdown();
        group.live().forEach(this::signal);
        long deadline = System.nanoTime() + goneWithin.toNanos();
        List<Processes.Found> left = Processes.carrying(mark, List.of());
        while (!left.isEmpty() && System.nanoTime() - deadline < 0) {
            Patience.pause(LOOK_EVERY);
            left = Processes.carrying(mark, List.of());
        }
        left.forEach(process -> process.handle().destroyForcibly());
        if (store != null) {
            store.close();
        }
        return left;
    }
}
