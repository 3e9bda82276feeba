/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import dev.elasticrun.agent.directory.RunDirectory;
import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.testing.Patience;
import dev.elasticrun.testing.Processes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The run of one test: its agents, and a name that no other run has. After the test nothing may be left of it: no
 * process, no run directory, no key but the verdict. A failed test shows all its logs.
 */
public final class TestRun implements BeforeEachCallback, AfterEachCallback {
    /** How long a step of the training sample waits: long enough for six workers to leave two processors idle in between. */
    public static final int STEP_MILLIS = 75;

    /** Steps for one minute: more than tests wait for before {@link #hurryUp()}, and few enough to end soon then. */
    public static final int ENOUGH = 800;

    /** More than any step of a healthy run takes on two busy processors. */
    public static final Duration LIMIT = Duration.ofSeconds(60);

    private static final Duration CLEAN_WITHIN = Duration.ofSeconds(15);
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final List<AgentProcess> agents = new ArrayList<>();
    private String id = "";
    private @Nullable Path directory;
    private @Nullable ExtensionContext context;
    private final @Nullable NetworkLab lab;
    private @Nullable EtcdProcess etcd;

    public TestRun() {
        lab = null;
    }

    /** A run on the nodes and over the etcd of a lab. */
    public TestRun(NetworkLab lab) {
        this.lab = lab;
    }

    /** Names this run and only this. */
    public String id() {
        return id;
    }

    /** Deleted after the test. */
    public Path directory() {
        return Objects.requireNonNull(directory, "directory");
    }

    /** An etcd that all tests share, or that of the lab. */
    public EtcdProcess etcd() {
        if (lab != null) {
            return lab.etcd();
        }
        EtcdProcess started = etcd;
        if (started == null) {
            started = Objects.requireNonNull(context, "context")
                    .getRoot()
                    .getStore(ExtensionContext.Namespace.GLOBAL)
                    .getOrComputeIfAbsent(EtcdProcess.class, type -> startEtcd(), EtcdProcess.class);
            etcd = started;
        }
        return started;
    }

    /** Options of an agent that meets others in the shared etcd, and more of them. */
    public List<String> onEtcd(String... more) {
        List<String> options = new ArrayList<>(List.of("--rdzv-endpoint", etcd().endpoint(), "--run-id", id));
        options.addAll(List.of(more));
        return options;
    }

    public AgentProcess agent(List<String> options, List<String> program) {
        return agent(Map.of(), options, program);
    }

    /** The training sample with {@link #ENOUGH} steps. */
    public List<String> training() {
        return training(ENOUGH);
    }

    /** The training sample with this many steps of {@link #STEP_MILLIS}, each of which it reports, until it is asked to hurry. */
    public List<String> training(int steps) {
        return training(steps, STEP_MILLIS);
    }

    public List<String> training(int steps, int stepMillis) {
        return Project.training(steps, stepMillis, "--report-every", "1", "--hurry", hurry().toString());
    }

    /** The XGBoost sample with this many rounds of 100 ms, each of which it reports, until it is asked to hurry. */
    public List<String> boosting(int rounds, String... more) {
        return Project.boosting(rounds, 100, withHurry(more));
    }

    private String[] withHurry(String... more) {
        List<String> all = new ArrayList<>(List.of(more));
        all.addAll(List.of("--report-every", "1", "--hurry", hurry().toString()));
        return all.toArray(String[]::new);
    }

    /** What the test was about has happened: steps of the training sample do not wait any more. */
    public void hurryUp() {
        try {
            Files.writeString(hurry(), "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The file of {@link #hurryUp()}. */
    public Path hurry() {
        return directory().resolve("hurry");
    }

    /** Starts an agent with a temporary directory of this test, by which all its processes are found again. */
    public AgentProcess agent(Map<String, String> environment, List<String> options, List<String> program) {
        return agent(List.of(), environment, options, program);
    }

    /** The same on a node of a lab. */
    public AgentProcess agent(NetworkNode node, List<String> options, List<String> program) {
        return agent(node.enter(), Map.of(), options, program);
    }

    /** The same where {@code /dev/shm} is small, as in a container. Without root that needs user namespaces. */
    public AgentProcess agentWithSharedMemory(int mebibytes, List<String> options, List<String> program) {
        List<String> enter = new ArrayList<>(List.of("unshare", "--mount"));
        if (RunDirectory.uid() != 0) {
            enter.addAll(List.of("--user", "--map-root-user"));
        }
        enter.addAll(List.of(
                "sh",
                "-c",
                "mount -t tmpfs -o size=\"$1\"m tmpfs /dev/shm && shift && exec \"$@\"",
                "with-shared-memory",
                Integer.toString(mebibytes)));
        return agent(enter, Map.of(), options, program);
    }

    private AgentProcess agent(
            List<String> enter, Map<String, String> environment, List<String> options, List<String> program) {
        Map<String, String> all = new java.util.HashMap<>(environment);
        all.put("TMPDIR", temporary().toString());
        AgentProcess agent = AgentProcess.start(enter, directory(), all, options, program);
        agents.add(agent);
        return agent;
    }

    /**
     * Until all workers of these agents have completed an operation in one and the same round.
     *
     * @param workers how many that must be
     * @return the round's number
     */
    public long awaitTogether(int workers, AgentProcess... members) {
        return awaitTogether(0, workers, members);
    }

    /** The same in a round after a given one. */
    public long awaitTogether(long after, int workers, AgentProcess... members) {
        Patience.until(
                workers + " workers in one round after " + after,
                LIMIT,
                () -> AgentLog.Slot.areTogether(
                        Stream.of(members)
                                .flatMap(agent -> agent.log().running().stream())
                                .toList(),
                        workers,
                        after),
                () -> Stream.of(members).map(AgentProcess::console).collect(Collectors.joining("\n")));
        return members[0].log().running().get(0).resumedRound();
    }

    /** Until the store holds so many nodes of this run: those that were killed are out of it, and new ones in. */
    public void awaitNodes(int nodes) {
        Supplier<List<String>> keys = () -> keys("/elastic-run/v1/" + id + "/nodes/");
        Patience.until(nodes + " nodes", LIMIT, () -> keys.get().size() == nodes, () -> String.valueOf(keys.get()));
    }

    private List<String> keys(String prefix) {
        try {
            return Remains.keys(etcd(), prefix);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Until the run has printed this step or a later one. */
    public void awaitStep(int step) {
        Patience.until("step " + step, LIMIT, () -> lastStep() >= step, () -> agents.stream()
                .map(AgentProcess::console)
                .collect(Collectors.joining("\n")));
    }

    /** The highest step that was printed; 0 = none. */
    public int lastStep() {
        return steps().stream().mapToInt(Step::step).max().orElse(0);
    }

    /** Lines of progress of all workers there were, in the order of rounds. */
    public List<Step> steps() {
        return Step.in(outputs());
    }

    /** Last lines of all workers there were. */
    public List<Trained> trained() {
        return Trained.in(outputs());
    }

    /** Last lines of all workers of the XGBoost sample. */
    public List<Boosted> boosted() {
        return Boosted.in(outputs());
    }

    /** What all workers of the XGBoost sample report of their models, at the end. */
    public List<String> models() {
        return Boosted.modelsIn(outputs());
    }

    @Override
    public void beforeEach(ExtensionContext current) throws IOException {
        Project.requireBuilt();
        context = current;
        id = "e2e-" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();
        directory = Files.createTempDirectory(id + "-");
        Files.createDirectory(temporary());
    }

    @Override
    public void afterEach(ExtensionContext current) throws IOException {
        boolean failed = current.getExecutionException().isPresent();
        String remains = "";
        try {
            if (!failed) {
                remains = awaitNothingLeft();
            }
            if (failed || !remains.isEmpty()) {
                System.err.println("######## " + current.getUniqueId());
                agents.forEach(agent -> System.err.println(agent.everything()));
            }
        } finally {
            agents.forEach(AgentProcess::close);
            Project.delete(directory());
        }
        if (!remains.isEmpty()) {
            throw new AssertionError("left behind by run " + id + ":\n" + remains);
        }
    }

    private Stream<String> outputs() {
        return agents.stream().flatMap(agent -> agent.workerOutputs().stream());
    }

    /** The temporary directory of all processes of this test: who has it is found again. */
    public Path temporary() {
        return directory().resolve("tmp");
    }

    /** Of the nodes of this test, those that are there. */
    public List<Path> runDirectories() throws IOException {
        return Remains.runDirectories(temporary(), nodeIds());
    }

    private List<String> nodeIds() {
        return agents.stream()
                .map(AgentProcess::nodeId)
                .flatMap(Optional::stream)
                .toList();
    }

    private String awaitNothingLeft() {
        long deadline = System.nanoTime() + CLEAN_WITHIN.toNanos();
        List<String> remains = remains();
        while (!remains.isEmpty() && System.nanoTime() - deadline < 0) {
            Patience.pause(Duration.ofMillis(50));
            remains = remains();
        }
        return String.join("\n", remains);
    }

    private List<String> remains() {
        List<String> nodeIds = nodeIds();
        List<String> found = new ArrayList<>();
        try {
            Processes.carrying("TMPDIR=" + temporary(), nodeIds).forEach(process -> found.add(process.toString()));
            Remains.runDirectories(temporary(), nodeIds).forEach(path -> found.add("run directory " + path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (lab != null || etcd != null) {
            String prefix = "/elastic-run/v1/" + id + "/";
            keys(prefix).stream()
                    .filter(key -> !key.startsWith(prefix + "verdict"))
                    .forEach(key -> found.add("key " + key));
        }
        return found;
    }

    private static EtcdProcess startEtcd() {
        try {
            return EtcdProcess.start(Files.createTempDirectory("e2e-etcd-"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
