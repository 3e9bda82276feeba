/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.cli.agents.AgentLine;
import dev.elasticrun.cli.agents.LocalAgent;
import dev.elasticrun.cli.agents.Sample;
import dev.elasticrun.cli.chaos.fault.Fault;
import dev.elasticrun.cli.chaos.fault.Weather;
import dev.elasticrun.cli.options.UsageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The run of one test: agents and workers as processes of their own, on this host, over a store in the test's JVM. {@link
 * ElasticRunTest} and {@link ElasticRunExtension} give it to a test and end it after the test.
 *
 * <p>Any thread may call it. A wait that fails throws an {@link AssertionError} with what was awaited, for how long, what
 * was seen last, where the files of the run are, and the last lines of each agent; it fails at once if all agents have
 * ended. A call that the state of the run does not allow throws an {@link IllegalStateException}.
 */
public final class ElasticRun {
    /** Variable of all agents and workers: the directory of the run, which a program may use for files of its own. */
    public static final String DIRECTORY = "ELASTICRUN_TEST_DIRECTORY";

    /** Where the programs of networks are for a user whose PATH lacks them. */
    private static final String MORE_PROGRAMS = ":/usr/sbin:/sbin";

    private static final int LAST_LINES = 15;
    private static final Duration GONE_WITHIN = Duration.ofSeconds(15);

    private final RunOptions options;
    private final Path directory;
    private final DeathScript deaths;
    private volatile @Nullable LiveRun live;
    private @Nullable TestNetwork network;

    ElasticRun(RunOptions options) {
        this.options = options;
        try {
            this.directory = Files.createTempDirectory("elastic-run-test-").toAbsolutePath();
            this.deaths = new DeathScript(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a directory for the run", e);
        }
    }

    /**
     * Starts the nodes, each of which starts its workers. Returns when the agents' processes have been started.
     *
     * @param mainClass a class with {@code public static void main(String[])}; workers have the class path of this JVM
     * @param arguments of the program
     * @throws IllegalArgumentException when the class has no main method, or a flag is wrong; nothing was started
     * @throws IllegalStateException when the run was started before
     */
    public void start(Class<?> mainClass, String... arguments) {
        Path jar = directory.resolve("program.jar");
        ProgramJar.write(jar, mainClass);
        start(List.of(), jar, arguments);
    }

    /**
     * The same with an executable jar.
     *
     * @throws IllegalArgumentException when there is no such jar, or a flag is wrong; nothing was started
     */
    public void start(Path jar, String... arguments) {
        start(deaths.flags(), jar, arguments);
    }

    private synchronized void start(List<String> flags, Path jar, String... arguments) {
        if (live != null) {
            throw new IllegalStateException("cannot start " + jar + ": the run has been started");
        }
        List<String> words = new ArrayList<>(options.line(flags));
        words.add(jar.toString());
        words.addAll(List.of(arguments));
        Map<String, String> variables = new HashMap<>(options.variables(System.getenv()));
        variables.put(DIRECTORY, directory.toString());
        variables.putAll(deaths.variables());
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.putAll(variables);
        AgentLine line = line(words, environment);
        if (network != null && !line.needsStore()) {
            throw new IllegalArgumentException("flags: " + options.flags()
                    + " (expected: neither --rdzv-endpoint nor --standalone; a network has a store of its own)");
        }
        LiveRun started =
                new LiveRun(line, variables, DIRECTORY + "=" + directory, directory, Optional.ofNullable(network));
        live = started;
        for (int i = 0; i < options.nodes(); i++) {
            started.startAgent();
        }
    }

    private AgentLine line(List<String> words, Map<String, String> environment) {
        try {
            return AgentLine.of(words, environment, directory.getFileName().toString(), directory.resolve("logs"));
        } catch (UsageException e) {
            throw new IllegalArgumentException(String.join(System.lineSeparator(), e.violations()), e);
        }
    }

    /**
     * Scripts deaths of workers at exact places of their program, before the start. Each happens once; the test fails at
     * its end if one has not happened by then.
     *
     * @throws IllegalStateException when the run was started before
     */
    public synchronized void deaths(Death... script) {
        if (live != null) {
            throw new IllegalStateException("cannot script deaths: the run has been started");
        }
        deaths.add(List.of(script));
    }

    /**
     * The network of the run, on which each agent gets a host of its own. Asked for before the start; the same one later.
     *
     * @throws IllegalStateException when this machine has no network namespaces for this user, with what is missing; or
     *     when the run was started without
     */
    public TestNetwork network() {
        return network(false);
    }

    /** The same, but that the test is skipped where the network, or a fault that it asks for, is not possible. */
    public TestNetwork networkOrSkip() {
        return network(true);
    }

    private synchronized TestNetwork network(boolean skips) {
        if (network == null && live != null) {
            throw new IllegalStateException("the run has been started without a network");
        }
        if (network == null) {
            String path = options.environment()
                    .getOrDefault("PATH", Objects.requireNonNullElse(System.getenv("PATH"), "/usr/bin:/bin"));
            network = TestNetwork.open(path + MORE_PROGRAMS, skips);
        }
        return network;
    }

    /** Deleted after a test that passed. */
    public Path directory() {
        return directory;
    }

    /** Starts another node, also in place of one that has ended. */
    public RunNode startNode() {
        LiveRun run = live();
        return new RunNode(run, run.startAgent());
    }

    /**
     * A node that was started, also if it has ended.
     *
     * @param number from 1, in the order of starts
     */
    public RunNode node(int number) {
        List<RunNode> nodes = nodes();
        if (number < 1 || number > nodes.size()) {
            throw new IllegalArgumentException("node: " + number + " (expected: 1 to " + nodes.size() + ")");
        }
        return nodes.get(number - 1);
    }

    /** All nodes that were started, in the order of starts. */
    public List<RunNode> nodes() {
        LiveRun run = live();
        return run.agents().stream().map(agent -> new RunNode(run, agent)).toList();
    }

    /** The node whose agent is the coordinator; waits until there is one that lives. */
    public RunNode coordinator() {
        return find("an agent that is the coordinator", () -> read(view ->
                        view.coordinator().flatMap(node -> live().agent(view, node)))
                .filter(LocalAgent::isAlive)
                .map(agent -> new RunNode(live(), agent)));
    }

    /** The worker with that rank in the newest round; waits until there is one that runs. */
    public RunWorker worker(int rank) {
        return find(
                "a worker with rank " + rank,
                () -> read(view -> view.round().workers().stream()
                        .filter(worker -> worker.rank() == rank)
                        .flatMap(worker -> live().running(view, worker.slot()).stream()
                                .map(process -> new RunWorker(live().events(), worker.slot(), rank, process)))
                        .findFirst()));
    }

    /** All workers that run, in the order of nodes, and of each in the order of slots. */
    public List<RunWorker> workers() {
        return nodes().stream().flatMap(node -> node.workers().stream()).toList();
    }

    /** The number of the newest round in which workers work; 0 = there was none. */
    public long round() {
        return read(view -> view.round().number());
    }

    /** What the agents recorded so far, in the order of times. */
    public List<LoggedEvent> events() {
        return live().events().all();
    }

    /**
     * What each worker process there was wrote to standard output so far, in the order of starts; also those that were
     * killed.
     */
    public List<String> outputs() {
        return live().events().outputs();
    }

    /**
     * Until a worker with a rank has reported that step or a later one ({@code ElasticRuntime.progress}), or, of a program
     * that reports none, that many checkpoints are complete. Agents read that twice a second: it may be one second late.
     */
    public void awaitStep(long step) {
        awaitStep(step, options.patience());
    }

    /** The same with a limit. */
    public void awaitStep(long step, Duration limit) {
        await("step " + step, limit, () -> step() >= step);
    }

    /** Until the newest round has that many workers, all of which run and have completed a collective operation in it. */
    public void awaitWorld(int size) {
        awaitWorld(size, options.patience());
    }

    /** The same with a limit. */
    public void awaitWorld(int size, Duration limit) {
        await(
                "a round in which " + size + " workers work",
                limit,
                () -> read(view -> view.round().worldSize() == size
                        && view.works(slot -> live().running(view, slot).isPresent())));
    }

    /** Until an agent has recorded an event of that type; returns the first one. */
    public <E extends RunEvent> E awaitEvent(Class<E> type) {
        return awaitEvent(type, event -> true);
    }

    /** Until an agent has recorded an event of that type that is meant; returns the first one. */
    public <E extends RunEvent> E awaitEvent(Class<E> type, Predicate<E> isMeant) {
        return find("an event " + type.getSimpleName(), () -> events().stream()
                .flatMap(event -> event.as(type).stream())
                .filter(isMeant)
                .findFirst());
    }

    /** Until all scripted deaths have happened. */
    public void awaitDeaths() {
        await(deaths.toString(), options.patience(), () -> deaths.missing().isEmpty());
    }

    /** Until something holds of which only the test knows. */
    public void await(String awaited, Duration limit, BooleanSupplier condition) {
        LiveRun run = live();
        Patience.until(
                awaited,
                limit,
                () -> {
                    boolean ended = run.agents().stream().noneMatch(LocalAgent::isAlive);
                    if (condition.getAsBoolean()) {
                        return true;
                    }
                    if (ended) {
                        throw new AssertionError(awaited + ": all agents have ended; " + state());
                    }
                    return false;
                },
                this::state);
    }

    /** Until all agents have ended. */
    public RunResult awaitEnd(Duration limit) {
        LiveRun run = live();
        Patience.until(
                "the end of all agents",
                limit,
                () -> run.agents().stream().noneMatch(LocalAgent::isAlive),
                this::state);
        return read(view -> {
            RunView.Round round = view.round();
            Map<Integer, RunView.Slot> slots =
                    round.workers().stream().collect(Collectors.toMap(RunView.Ranked::rank, RunView.Ranked::slot));
            List<String> outputs = IntStream.range(0, round.worldSize())
                    .mapToObj(rank -> Optional.ofNullable(slots.get(rank))
                            .map(slot -> run.events().output(slot, false))
                            .orElse(""))
                    .toList();
            return new RunResult(exitCode(run.agents()), outputs, view.rootCause());
        });
    }

    private static int exitCode(List<LocalAgent> agents) {
        List<Integer> codes = agents.stream()
                .filter(LocalAgent::endedByItself)
                .flatMap(agent -> agent.exitCode().stream())
                .toList();
        return codes.isEmpty()
                ? agents.get(agents.size() - 1).exitCode().orElseThrow()
                : codes.stream().filter(code -> code != 0).findFirst().orElse(0);
    }

    /**
     * Faults at times and of kinds that follow from the seed, as {@code elastic-run chaos} injects them with its default
     * mix. For each agent that is killed another one is started at once. Returns after that time, or when the run ends.
     *
     * @param every mean time between two faults
     * @return the faults, also those that were left out, with the reason
     */
    public List<Fault> storm(long seed, Duration every, Duration length) {
        return storm(Weather.DEFAULT_WEIGHTS, seed, every, length);
    }

    /**
     * The same with another mix.
     *
     * @param faults relative frequency of each kind, as {@code elastic-run chaos --faults} takes it, such as {@code
     *     worker=4,node=1}
     */
    public List<Fault> storm(String faults, long seed, Duration every, Duration length) {
        return new Storm(live(), faults, seed, every, length).run();
    }

    /**
     * After the test: kills what still runs, and deletes the files unless something failed.
     *
     * @throws AssertionError when the test passed and a process was left, or a scripted death has not happened
     */
    void end(Optional<Throwable> failure) {
        // Set where a time limit has interrupted the test: all has to be killed nevertheless.
        boolean interrupted = Thread.interrupted();
        try {
            LiveRun run = live;
            if (run == null) {
                endNetwork();
                delete();
            } else {
                end(run, failure);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void end(LiveRun run, Optional<Throwable> failure) {
        String state = stateIfReadable();
        List<String> complaints = new ArrayList<>();
        run.end(goneWithin()).forEach(left -> complaints.add("left after the test: " + left));
        endNetwork();
        deaths.missing().forEach(death -> complaints.add("scripted and did not happen: death " + death));
        if (failure.isEmpty() && complaints.isEmpty()) {
            delete();
            return;
        }
        String lines = String.join(System.lineSeparator(), complaints);
        if (failure.isEmpty()) {
            throw new AssertionError(lines + "; " + state);
        }
        if (!String.valueOf(failure.get().getMessage()).contains(directory.toString())) {
            failure.get().addSuppressed(new RunStateException(lines.isEmpty() ? state : lines + "; " + state));
        }
    }

    private synchronized void endNetwork() {
        if (network != null) {
            network.close();
        }
    }

    private Duration goneWithin() {
        return options.patience().compareTo(GONE_WITHIN) < 0 ? options.patience() : GONE_WITHIN;
    }

    private long step() {
        return live().newestSample().map(ElasticRun::step).orElse(0L);
    }

    private static long step(Sample sample) {
        return sample.step() > 0 ? sample.step() : sample.version();
    }

    private <T> T find(String awaited, Supplier<Optional<T>> question) {
        List<T> found = new ArrayList<>();
        await(awaited, options.patience(), () -> {
            question.get().ifPresent(found::add);
            return !found.isEmpty();
        });
        return found.get(0);
    }

    private <T> T read(Function<RunView, T> question) {
        return live().events().read(question);
    }

    private LiveRun live() {
        return Objects.requireNonNullElseGet(live, () -> {
            throw new IllegalStateException("the run has not been started (expected: start(...) first)");
        });
    }

    private String stateIfReadable() {
        try {
            return state();
        } catch (UncheckedIOException e) {
            return "files of the run in " + directory + " cannot be read: " + e;
        }
    }

    /** What is there now, for a failure. */
    private String state() {
        StringBuilder text = new StringBuilder("last seen: ")
                .append(read(RunView::describe))
                .append(", step ")
                .append(step())
                .append("; files of the run are in ")
                .append(directory);
        for (RunNode node : nodes()) {
            text.append(System.lineSeparator()).append(node);
            node.exitCode().ifPresent(code -> text.append(", ended with ").append(code));
            node.workers()
                    .forEach(worker ->
                            text.append(System.lineSeparator()).append("  ").append(worker));
        }
        for (LocalAgent agent : live().agents()) {
            text.append(System.lineSeparator())
                    .append("last lines of ")
                    .append(agent.output())
                    .append(':');
            agent.lastLines(LAST_LINES)
                    .forEach(line ->
                            text.append(System.lineSeparator()).append("  ").append(line));
        }
        return text.toString();
    }

    private void delete() {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + directory, e);
        }
    }
}
