/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.agents;

import dev.elasticrun.cli.network.NetworkHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The agents of one run, each a process of its own. One thread starts them: they end with it, where the system can do
 * that. {@link #close} may be called by another one, once.
 */
public final class AgentGroup implements AutoCloseable {
    private static final Duration GUARD_WAIT = Duration.ofSeconds(5);

    private final LauncherCommand launcher;
    private final List<String> arguments;
    private final Consumer<Map<String, String>> environment;
    private final Optional<? extends AgentHosts> hosts;
    private final Path directory;
    private final Duration grace;
    private final List<LocalAgent> agents = new CopyOnWriteArrayList<>();
    /** Processes of agents that were killed; their guards end them. */
    private final List<ProcessHandle> left = new CopyOnWriteArrayList<>();

    private volatile boolean closed;

    /**
     * @param environment changes a copy of the variables of this process to those of an agent
     * @param hosts that agents run on; empty = this host
     * @param directory where each agent's output goes
     * @param grace between SIGTERM and SIGKILL at the end
     */
    public AgentGroup(
            LauncherCommand launcher,
            List<String> arguments,
            Consumer<Map<String, String>> environment,
            Optional<? extends AgentHosts> hosts,
            Path directory,
            Duration grace) {
        this.launcher = launcher;
        this.arguments = List.copyOf(arguments);
        this.environment = environment;
        this.hosts = hosts;
        this.directory = directory;
        this.grace = grace;
    }

    /** @throws UncheckedIOException when no process can be started */
    public LocalAgent start() {
        int number = agents.size() + 1;
        Path output = directory.resolve("agent-" + number + ".log");
        Optional<NetworkHost> host = hosts.map(one -> one.free(
                live().stream().map(LocalAgent::host).flatMap(Optional::stream).toList()));
        List<String> command = new ArrayList<>(host.map(NetworkHost::enter).orElse(List.of()));
        command.addAll(launcher.words());
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        environment.accept(builder.environment());
        LauncherCommand.restoreLocale(builder.environment());
        try {
            synchronized (this) {
                // Else one that is started while the others end would be left.
                if (closed) {
                    throw new IllegalStateException("cannot start agent " + number + ": the group has ended");
                }
                LocalAgent agent = new LocalAgent(number, builder.start(), host, output);
                agents.add(agent);
                return agent;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start agent " + number, e);
        }
    }

    /** In the order of starts. */
    public List<LocalAgent> all() {
        return List.copyOf(agents);
    }

    public List<LocalAgent> live() {
        return agents.stream().filter(LocalAgent::isAlive).toList();
    }

    /** Kills an agent and these workers of it. */
    public void kill(LocalAgent agent, List<ProcessHandle> workers) {
        left.addAll(agent.children());
        agent.kill(workers);
    }

    /** Drains all that live, kills those that take too long, and waits until their workers and guards have ended, too. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        live().forEach(agent -> {
            left.addAll(agent.children());
            agent.drain();
        });
        long deadline = System.nanoTime() + grace.toNanos();
        for (LocalAgent agent : agents) {
            if (!await(agent.process().onExit(), deadline)) {
                left.addAll(agent.children());
                agent.kill(List.of());
            }
        }
        long guards = System.nanoTime() + GUARD_WAIT.toNanos();
        for (ProcessHandle process : left) {
            if (!await(process.onExit(), guards)) {
                process.destroyForcibly();
            }
        }
    }

    private static boolean await(Future<?> end, long deadline) {
        try {
            end.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException late) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("cannot await the end of a process", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
