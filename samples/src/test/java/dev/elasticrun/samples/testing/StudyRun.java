/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** A study of a test: its file, drivers one after the other, and agents of its pool. */
public final class StudyRun implements AutoCloseable {
    private static final String PREFIX = "/elastic-run/";
    /** Of the logs of runs, below the directory of the study. */
    private static final int LOG_DEPTH = 8;

    private static final String CURVE = """
            study: %s
            metric: loss
            trials: %d
            concurrent: %d
            seed: 5
            rule: {kind: asha, grace: 1, reduction: 3}
            space:
              x: {uniform: [0, 1]}
              y: {uniform: [0, 1]}
            program: samples/target/elastic-samples.jar
            arguments: [trial-curve, --steps, "9", --step-millis, "%d"]
            run:
              nnodes: "%s"
              restart-policy: soft-elastic
            """;

    private static final String STDOUT = "stdout.log";

    private final TestRun run;
    private final Path directory;
    private final List<Process> processes = new ArrayList<>();
    private final List<Process> agents = new ArrayList<>();
    private @Nullable Process driver;
    private boolean usesEtcd;
    private int started;

    public StudyRun(TestRun run) {
        this(run, "study");
    }

    public StudyRun(TestRun run, String name) {
        this.run = run;
        this.directory = run.directory().resolve(name);
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void write(String yaml) {
        try {
            Files.writeString(file(), yaml);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A study of trials with nine steps each, some of which are ended early; a test may change what is written. */
    public static String curve(String name, int trials, int concurrent, int stepMillis, String nodes) {
        return CURVE.formatted(name, trials, concurrent, stepMillis, nodes);
    }

    /** Eight trials of two seconds, two at a time, for agents that a test takes away: none of them is ended early. */
    public void writeForAPool() {
        write("""
                study: %s
                metric: loss
                trials: 8
                concurrent: 2
                space: {x: {uniform: [0, 1]}, y: {uniform: [0, 1]}}
                program: %s
                arguments: [trial-curve, --steps, "20", --step-millis, "100"]
                run: {nnodes: "1:2", restart-policy: soft-elastic}
                """.formatted(run.id(), Project.ROOT.resolve(Project.PROGRAM)));
    }

    /** That the driver of {@link #writeForAPool} ends well, and lost no trial. */
    public void assertNoTrialIsLost(Supplier<String> logs) {
        int exitCode = awaitEnd();
        if (exitCode != 0 || !states().equals(Collections.nCopies(8, "completed"))) {
            throw new AssertionError("exit code " + exitCode + "\n" + output() + "\n" + logs.get());
        }
    }

    private Path file() {
        return directory.resolve("study.yaml");
    }

    /** Starts a driver. */
    public StudyRun drive(List<String> options) {
        List<String> command = new ArrayList<>(
                List.of("tune", "--output", directory.resolve("out").toString()));
        command.addAll(options);
        command.add(file().toString());
        driver = start("driver", command);
        return this;
    }

    /** What another process finds, as {@code status}. */
    public Command.Result ask(String verb, String... options) {
        return ask(List.of(options), List.of(verb, file().toString()));
    }

    /** The same of one trial. */
    public Command.Result asked(String verb, String trial) {
        return ask(List.of(), List.of(verb, file().toString(), trial));
    }

    /** Another driver of the same, at the same time. */
    public Command.Result driveBeside() {
        return ask(List.of(), List.of(file().toString()));
    }

    private Command.Result ask(List<String> options, List<String> words) {
        List<String> command = new ArrayList<>(List.of(
                Project.LAUNCHER.toString(),
                "tune",
                "--output",
                directory.resolve("out").toString()));
        command.addAll(options);
        command.addAll(words);
        return Command.run(Map.of("TMPDIR", run.temporary().toString()), TestRun.LIMIT, command);
    }

    /** A file in the directory of the driver, which is made. */
    public Path output(String name) throws IOException {
        return Files.createDirectories(directory.resolve("out")).resolve(name);
    }

    private Process start(String name, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(Project.LAUNCHER.toString()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(Project.ROOT.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(
                        directory.resolve(name + "-" + ++started + ".log").toFile());
        builder.environment().put("TMPDIR", run.temporary().toString());
        try {
            Process process = builder.start();
            processes.add(process);
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process driver() {
        return Objects.requireNonNull(driver, "driver");
    }

    public boolean isDriven() {
        return driver().isAlive();
    }

    /** The driver's exit code. */
    public int awaitEnd() {
        try {
            return driver().onExit()
                    .get(2 * TestRun.LIMIT.toSeconds(), TimeUnit.SECONDS)
                    .exitValue();
        } catch (TimeoutException e) {
            throw new IllegalStateException(output(), e);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Kills the driver after a time, if it has not ended by then. */
    public void killAfter(long millis) {
        pass(millis);
        driver().destroyForcibly();
        driver().onExit().join();
    }

    /** Waits that long, or until the driver ends. */
    public void pass(long millis) {
        try {
            driver().onExit().orTimeout(millis, TimeUnit.MILLISECONDS).join();
        } catch (CompletionException timeout) {
            // As intended.
        }
    }

    /** Options by which this study's processes meet in the shared etcd. */
    public List<String> onEtcd() {
        usesEtcd = true;
        return on(run.etcd());
    }

    /** The same in an etcd of the test's own. */
    public List<String> on(EtcdProcess etcd) {
        return List.of(
                "--rdzv-endpoint",
                etcd.endpoint(),
                "--run-key-file",
                key("pool.key").toString());
    }

    /** The same for a program. */
    public LaunchConfig access(List<String> options) {
        return LaunchConfig.builder(Project.PROGRAM.toString())
                .rdzvEndpoints(List.of(options.get(1)))
                .runKeyFile(Path.of(options.get(3)))
                .unchecked();
    }

    public List<String> withOtherKey(List<String> options) {
        List<String> changed = new ArrayList<>(options);
        changed.set(changed.size() - 1, key("other.key").toString());
        return changed;
    }

    private Path key(String name) {
        Path file = directory.resolve(name);
        try {
            Files.writeString(file, "the secret in " + file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return file;
    }

    public List<String> pooled(List<String> options) {
        List<String> pooled = new ArrayList<>(List.of("--pool", run.id()));
        pooled.addAll(options);
        return pooled;
    }

    /** Starts an agent of the pool. */
    public void agent(List<String> options) {
        List<String> command = new ArrayList<>(List.of("agent"));
        command.addAll(pooled(options));
        command.addAll(List.of("--log-dir", directory.resolve("logs").toString()));
        agents.add(start("agent", command));
    }

    /** Kills the oldest one. */
    public void killAgent() {
        Process oldest = agents.remove(0);
        oldest.destroyForcibly();
        oldest.onExit().join();
    }

    public void awaitOutput(String text) {
        Patience.until(text, TestRun.LIMIT, () -> output().contains(text), this::output);
    }

    public JsonNode results() {
        try {
            return new ObjectMapper().readTree(Files.readString(directory.resolve("out/results.json")));
        } catch (IOException e) {
            throw new UncheckedIOException(output(), e);
        }
    }

    /** As it is now. */
    public String page() {
        return DaemonLogs.below(directory, 2, file -> file.endsWith("results.html"));
    }

    /** Of all trials, in their order. */
    public List<String> states() {
        return StreamSupport.stream(results().path("trials").spliterator(), false)
                .map(trial -> trial.path("state").asText())
                .toList();
    }

    public List<String> csv() {
        try {
            return Files.readAllLines(directory.resolve("out/results.csv"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the workers of all trials printed. */
    public String workerOutput() {
        return DaemonLogs.below(
                directory,
                LOG_DEPTH,
                file -> file.endsWith(STDOUT) && file.toString().contains("/worker-"));
    }

    /** What drivers printed when they had a trial begin. */
    public List<String> begun() {
        return output().lines()
                .filter(line -> line.startsWith("tune: ") && line.contains(" begins: "))
                .toList();
    }

    /** What all processes wrote. */
    public String output() {
        return processes.isEmpty()
                ? ""
                : DaemonLogs.below(directory, 3, file -> file.toString().endsWith(".log"));
    }

    /** Ends agents in good order, and removes what the study keeps in the store. */
    @Override
    public void close() {
        processes.forEach(Process::destroy);
        CompletableFuture<?>[] ends = processes.stream().map(Process::onExit).toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(ends)
                .orTimeout(TestRun.LIMIT.toSeconds(), TimeUnit.SECONDS)
                .join();
        if (usesEtcd) {
            for (String kind : List.of("studies", "pools")) {
                delete(PREFIX + kind + "/v1/" + run.id());
            }
        }
    }

    private void delete(String prefix) {
        Command.Result result = Command.run(Map.of(), TestRun.LIMIT, run.etcd().etcdctl("del", "--prefix", prefix));
        if (result.exitCode() != 0) {
            throw new IllegalStateException("etcdctl: " + result.output());
        }
    }
}
