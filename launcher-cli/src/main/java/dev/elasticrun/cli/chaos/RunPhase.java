/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos;

import dev.elasticrun.agent.RunStore;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.agent.launch.RunSize;
import dev.elasticrun.cli.agents.AgentGroup;
import dev.elasticrun.cli.agents.AgentLine;
import dev.elasticrun.cli.agents.LauncherCommand;
import dev.elasticrun.cli.agents.LocalAgent;
import dev.elasticrun.cli.agents.LocalStatus;
import dev.elasticrun.cli.agents.RunWatch;
import dev.elasticrun.cli.agents.Sample;
import dev.elasticrun.cli.chaos.fault.ChaosNetwork;
import dev.elasticrun.cli.chaos.fault.Fault;
import dev.elasticrun.cli.chaos.fault.FaultSchedule;
import dev.elasticrun.cli.chaos.fault.Injector;
import dev.elasticrun.cli.chaos.report.RunRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One run on local agents, with a store of its own if the line names none. One thread owns an instance and must outlive
 * it: the agents end with that thread.
 */
final class RunPhase implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofMinutes(3);
    private static final Duration FULL_SIZE_LIMIT = Duration.ofSeconds(30);
    private static final Duration AFTER_SHUTDOWN = Duration.ofSeconds(20);
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int LAST_LINES = 12;

    private final AgentLine line;
    private final int agents;
    private final Optional<ChaosNetwork> network;
    private final BooleanSupplier interrupted;
    private final AgentGroup group;
    private final RunWatch watch;
    private final @Nullable RunStore store;
    private final List<Fault> faults = new ArrayList<>();
    private long workNanos;
    private long stormNanos;
    private long endNanos;

    /**
     * Starts the agents.
     *
     * @param name of the phase, in the environment of the agents as {@code CHAOS_PHASE}
     * @param directory for their output, in the environment as {@code CHAOS_DIR}; is created
     * @param network whose hosts the agents run on; empty = this host
     * @param interrupted whether the phase is to end early
     */
    RunPhase(
            AgentLine line,
            String name,
            Path directory,
            LauncherCommand launcher,
            int agents,
            Optional<ChaosNetwork> network,
            BooleanSupplier interrupted) {
        this.line = line;
        this.agents = agents;
        this.network = network;
        this.interrupted = interrupted;
        create(directory);
        this.store = line.needsStore()
                ? RunStore.serve(
                        line.config(),
                        line.runId(),
                        directory,
                        network.isPresent() ? ChaosNetwork.ADDRESS : RunStore.LOOPBACK)
                : null;
        this.group = new AgentGroup(
                launcher,
                line.arguments(store == null ? List.of() : store.options()),
                environment -> {
                    environment.remove(ChaosNetwork.VARIABLE);
                    environment.putAll(variables(name, directory));
                },
                network,
                directory,
                line.config().times().shutdownTimeout().plus(AFTER_SHUTDOWN));
        for (int i = 0; i < agents; i++) {
            group.start();
        }
        this.watch = new RunWatch(new LocalStatus(line.runId()), group);
    }

    /** What the agents of a phase, their workers and the command that prints a result have in their environment. */
    static Map<String, String> variables(String phase, Path directory) {
        return Map.of(
                "CHAOS_PHASE", phase, "CHAOS_DIR", directory.toAbsolutePath().toString());
    }

    private static void create(Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create " + directory, e);
        }
    }

    /** No work began. */
    static final class NoWorkException extends RuntimeException {
        private static final long serialVersionUID = 1;

        NoWorkException(String message) {
            super(message);
        }
    }

    /**
     * Waits until workers work, for a while also until there are as many as the agents can have.
     *
     * @throws NoWorkException when no worker does in time
     */
    void awaitWork() {
        long began = System.nanoTime();
        RunSize size = line.config().size();
        int full = Math.min(agents, size.maxNodes()) * size.nprocPerNode();
        long deadline = began + START_LIMIT.toNanos();
        while (!interrupted.getAsBoolean()) {
            Optional<Sample> newest = watch.newestSample();
            int world = newest.map(Sample::worldSize).orElse(0);
            boolean isLate = System.nanoTime() - began >= FULL_SIZE_LIMIT.toNanos();
            boolean counts =
                    newest.map(sample -> sample.step() + sample.version() > 0).orElse(false);
            if (world > 0 && (isLate || (world >= full && counts))) {
                workNanos = System.nanoTime();
                stormNanos = workNanos;
                return;
            }
            if (hasEnded()) {
                return;
            }
            if (group.live().isEmpty() || System.nanoTime() - deadline >= 0) {
                throw new NoWorkException("no worker worked within "
                        + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began) + " s of the start of "
                        + agents + " agents" + lastLines());
            }
            LockSupport.parkNanos(TICK_NANOS);
        }
    }

    private String lastLines() {
        StringBuilder text = new StringBuilder();
        group.all().stream().limit(1).forEach(agent -> {
            text.append("; the last lines of ").append(agent.output()).append(':');
            agent.lastLines(LAST_LINES)
                    .forEach(last ->
                            text.append(System.lineSeparator()).append("  ").append(last));
        });
        return text.toString();
    }

    /** Waits, or until the run ends. */
    void watch(Duration time) {
        long deadline = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - deadline < 0 && goesOn()) {
            LockSupport.parkNanos(TICK_NANOS);
        }
    }

    /**
     * Injects faults as planned, until the length has passed or the run ends.
     *
     * @param leftOut receives a line for each fault of the network that is not possible here
     */
    void storm(ChaosOptions options, Consumer<String> leftOut) {
        RunSize size = line.config().size();
        Injector injector = new Injector(
                group, network, line.logDirectory().resolve(line.runId()), line.isStandalone(), size.maxNodes() == 1);
        Deque<FaultSchedule.Planned> due = new ArrayDeque<>(FaultSchedule.of(options.weather()));
        Deque<Long> replacements = new ArrayDeque<>();
        network.ifPresent(one -> one.disturb(leftOut));
        watch.look();
        stormNanos = System.nanoTime();
        long length = options.weather().length().toNanos();
        while (System.nanoTime() - stormNanos < length && (goesOn() || !replacements.isEmpty())) {
            network.ifPresent(one -> one.mend(System.nanoTime()));
            long elapsed = System.nanoTime() - stormNanos;
            FaultSchedule.Planned next = due.peek();
            if (next != null && elapsed >= next.atNanos()) {
                due.remove();
                Fault fault = injector.inject(next, watch.newest());
                faults.add(fault);
                if (fault.isInjected() && next.kind().killsAgent()) {
                    replacements.add(System.nanoTime() + options.replaceAfter().toNanos());
                }
            }
            Long replacement = replacements.peek();
            if (replacement != null && System.nanoTime() - replacement >= 0) {
                replacements.remove();
                group.start();
            }
            if (interrupted.getAsBoolean()) {
                break;
            }
            LockSupport.parkNanos(TICK_NANOS);
        }
        while (!replacements.isEmpty() && goesOn()) {
            replacements.remove();
            group.start();
        }
        watch.look();
        endNanos = System.nanoTime();
        network.ifPresent(ChaosNetwork::heal);
        if (options.compare().isEmpty()) {
            injector.killStopped();
        }
    }

    /** Waits until the run has ended by itself. */
    void awaitEnd() {
        while (!group.live().isEmpty() && !interrupted.getAsBoolean()) {
            LockSupport.parkNanos(TICK_NANOS);
        }
    }

    // An agent that ends by itself with 0 reports that the run has succeeded: the others follow.
    private boolean hasEnded() {
        return group.all().stream()
                .anyMatch(agent -> agent.endedByItself() && agent.exitCode().orElse(-1) == ExitCode.SUCCEEDED.code());
    }

    private boolean goesOn() {
        return !interrupted.getAsBoolean() && !group.live().isEmpty() && !hasEnded();
    }

    /** Ends what still runs, and returns what was seen. */
    RunRecord end() {
        if (endNanos == 0) {
            endNanos = System.nanoTime();
        }
        if (hasEnded()) {
            awaitEnd();
        }
        List<RunRecord.AgentEnd> ends = group.all().stream()
                .filter(LocalAgent::endedByItself)
                .map(agent -> new RunRecord.AgentEnd(
                        agent.number(), agent.exitCode().orElseThrow(), agent.lastLines(LAST_LINES)))
                .toList();
        close();
        return new RunRecord(
                line.runId(),
                line.logDirectory().resolve(line.runId()),
                new RunRecord.Times(workNanos, stormNanos, endNanos),
                watch.samples(),
                watch.uses(),
                faults,
                ends);
    }

    @Override
    public void close() {
        watch.close();
        group.close();
        if (store != null) {
            store.close();
        }
    }
}
