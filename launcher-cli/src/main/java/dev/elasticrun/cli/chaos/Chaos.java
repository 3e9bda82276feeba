/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos;

import dev.elasticrun.agent.config.Setting;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.cli.agents.AgentLine;
import dev.elasticrun.cli.agents.LauncherCommand;
import dev.elasticrun.cli.agents.Sample;
import dev.elasticrun.cli.chaos.fault.ChaosNetwork;
import dev.elasticrun.cli.chaos.fault.NetFaults;
import dev.elasticrun.cli.chaos.report.ChaosReport;
import dev.elasticrun.cli.chaos.report.Comparison;
import dev.elasticrun.cli.chaos.report.Measurement;
import dev.elasticrun.cli.chaos.report.ReportJson;
import dev.elasticrun.cli.chaos.report.ReportPage;
import dev.elasticrun.cli.chaos.report.ReportText;
import dev.elasticrun.cli.chaos.report.RunRecord;
import dev.elasticrun.cli.client.EventFiles;
import dev.elasticrun.cli.options.LaunchOptions;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.cli.signal.SignalHandlers;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program on local agents, with {@code --compare} first to its end without faults, then in a storm, and reports
 * what the storm cost. One thread, which must outlive the agents.
 */
public final class Chaos {
    private static final String CALM = "calm";
    private static final String STORM = "storm";
    private static final Duration FIRST_LOOK = Duration.ofSeconds(1);

    private final ChaosOptions options;
    private final List<String> line;
    private final Map<String, String> environment;
    private final String runId;
    private final Path directory;
    private final LauncherCommand launcher;
    private final PrintStream out;
    private final PrintStream err;
    private final AtomicReference<@Nullable ExitCode> interruption = new AtomicReference<>();
    private final List<String> notes = new ArrayList<>();
    private Optional<ChaosNetwork> network = Optional.empty();

    private Chaos(
            ChaosOptions options,
            List<String> line,
            Map<String, String> environment,
            PrintStream out,
            PrintStream err) {
        this.options = options;
        this.line = List.copyOf(line);
        this.environment = Map.copyOf(environment);
        this.runId = "chaos-" + Long.toHexString(ProcessHandle.current().pid()) + "-"
                + Long.toHexString(System.nanoTime() & 0xffffffffL);
        this.directory = options.output()
                .orElseGet(() -> temporary().resolve("elastic-run-" + runId))
                .toAbsolutePath();
        this.launcher = LauncherCommand.find(environment);
        this.out = out;
        this.err = err;
    }

    /**
     * Returns what the process is to exit with: 0, 1 if a bound is missed, the result differs or the run failed, 130 or
     * 143 if a signal ended it.
     *
     * @param line of one node, without the command's name
     * @param arguments all of this command, by which it is started again where it needs a network of its own
     * @param violations what is wrong with the options
     * @throws UsageException naming all that is wrong with options and line; nothing was started
     */
    public static int run(
            ChaosOptions options,
            List<String> violations,
            List<String> line,
            List<String> arguments,
            Map<String, String> environment,
            PrintStream out,
            PrintStream err) {
        return new Chaos(options, line, environment, out, err).run(violations, arguments);
    }

    private int run(List<String> violations, List<String> arguments) {
        check(violations);
        boolean isInside = environment.containsKey(ChaosNetwork.VARIABLE);
        if (!options.net().isNone() && !isInside) {
            try {
                return InnerChaos.run(ChaosNetwork.around(path()), launcher, arguments);
            } catch (IllegalStateException e) {
                leaveOut("network faults are left out: " + e.getMessage());
            }
        }
        SignalHandlers.install("INT", () -> interruption.compareAndSet(null, ExitCode.INTERRUPTED));
        SignalHandlers.install("TERM", () -> interruption.compareAndSet(null, ExitCode.DRAINED));
        SignalHandlers.install("HUP", () -> interruption.compareAndSet(null, ExitCode.DRAINED));
        create();
        AgentLine storm = agentLine("");
        notes(storm);
        announce("run " + runId + ", files in " + directory + ", seed "
                + options.weather().seed());
        try {
            if (isInside) {
                connect(storm);
            }
            return options.compare().isPresent() ? compared(storm) : single(storm);
        } catch (RunPhase.NoWorkException e) {
            announce(String.valueOf(e.getMessage()));
            return ExitCode.WORKER_FAILURE.code();
        } finally {
            network.ifPresent(ChaosNetwork::close);
        }
    }

    private void connect(AgentLine storm) {
        try {
            network = Optional.of(ChaosNetwork.open(options.net(), path(), agents(storm)));
        } catch (IllegalStateException e) {
            leaveOut("network faults are left out: " + e.getMessage());
        }
    }

    private String path() {
        return environment.getOrDefault("PATH", "/usr/bin:/bin");
    }

    private void leaveOut(String note) {
        announce("WARN " + note);
        notes.add(note);
    }

    private AgentLine agentLine(String suffix) {
        return AgentLine.of(line, environment, runId + suffix, directory.resolve("logs"));
    }

    // All that is wrong with the options and with the line. A check of a log directory makes it: here one that exists.
    private void check(List<String> wrong) {
        List<String> violations = new ArrayList<>(wrong);
        try {
            AgentLine checked = AgentLine.of(line, environment, runId, temporary());
            int least = checked.config().size().minNodes();
            if (options.agents() > 0 && options.agents() < least) {
                violations.addAll(UsageException.of(
                                ChaosValues.AGENTS,
                                Integer.toString(options.agents()),
                                "at least the minimum of --nnodes, " + least)
                        .violations());
            }
            if (checked.isStandalone() && options.agents() > 1) {
                violations.addAll(
                        UsageException.of(ChaosValues.AGENTS, Integer.toString(options.agents()), "1 with --standalone")
                                .violations());
            }
            violations.addAll(apart(checked));
            if (options.compare().isPresent()
                    && checked.config().checkpoints().directory().isPresent()
                    && !checked.added().contains(Settings.RUN_ID.option())) {
                violations.addAll(UsageException.of(
                                Settings.RUN_ID.option(),
                                checked.runId(),
                                "none with --compare and --checkpoint-dir: the second run would continue the first")
                        .violations());
            }
            if (isInUse(directory)) {
                violations.addAll(UsageException.of(
                                ChaosValues.OUTPUT,
                                directory.toString(),
                                "a directory that is empty, or can be created")
                        .violations());
            }
        } catch (UsageException e) {
            violations.addAll(e.violations());
        }
        if (!violations.isEmpty()) {
            throw new UsageException(violations);
        }
    }

    // What a line must not have whose agents are in a network of their own.
    private List<String> apart(AgentLine checked) {
        if (options.net().isNone()) {
            return List.of();
        }
        List<String> violations = new ArrayList<>();
        if (!checked.needsStore()) {
            violations.addAll(UsageException.of(
                            checked.isStandalone() ? "--standalone" : "--rdzv-endpoint",
                            checked.isStandalone()
                                    ? "given"
                                    : String.join(",", checked.config().store().endpoints()),
                            "none with --net: the agents have a network of their own, in which this command serves"
                                    + " the store")
                    .violations());
        }
        for (Setting<String> address : List.of(Settings.LOCAL_ADDR, Settings.BIND_ADDR)) {
            if (LaunchOptions.given(line, environment).test(address)) {
                violations.addAll(UsageException.of(
                                address.option(), "given", "none with --net: each agent has an address of its own")
                        .violations());
            }
        }
        return violations;
    }

    private Path temporary() {
        return Path.of(environment.getOrDefault("TMPDIR", "/tmp")).toAbsolutePath();
    }

    private static boolean isInUse(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.findAny().isPresent();
        } catch (NoSuchFileException toBeMade) {
            return false;
        } catch (IOException noDirectory) {
            return true;
        }
    }

    private void create() {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw UsageException.of(
                    ChaosValues.OUTPUT, directory.toString(), "a directory that is empty, or can be created; " + e);
        }
    }

    private void notes(AgentLine storm) {
        if (!launcher.endsWithParent()) {
            notes.add("there is no setpriv here: agents would outlive a SIGKILL of this command");
        }
        if (storm.added().contains(Settings.MAX_RESTARTS.option())) {
            notes.add("restarts are not limited, as the line has no --max-restarts");
        }
        if (options.net().isNone()) {
            notes.add("network faults are left out: there is no --net");
        }
    }

    private void announce(String text) {
        err.println("chaos: " + text);
    }

    private boolean isInterrupted() {
        return interruption.get() != null;
    }

    private int agents(AgentLine storm) {
        return options.agents() > 0 ? options.agents() : storm.config().size().maxNodes();
    }

    private RunPhase start(AgentLine agentLine, String name) {
        return new RunPhase(
                agentLine, name, directory.resolve(name), launcher, agents(agentLine), network, this::isInterrupted);
    }

    private int single(AgentLine storm) {
        RunRecord record;
        try (RunPhase phase = start(storm, STORM)) {
            phase.awaitWork();
            announce("all work; "
                    + TimeUnit.MILLISECONDS.toSeconds(options.calm().toMillis()) + " s without faults");
            phase.watch(options.calm());
            announce("the storm lasts " + options.weather().length().toSeconds() + " s");
            phase.storm(options, this::leaveOut);
            record = phase.end();
        }
        long middle = record.times().stormNanos() - options.calm().toNanos() / 2;
        return finish(storm, record, record.samples(middle, record.times().stormNanos()), Comparison.NONE);
    }

    private int compared(AgentLine storm) {
        String command = options.compare().orElseThrow();
        AgentLine undisturbed = agentLine("-" + CALM);
        RunRecord calm;
        announce("the calm run, to its end");
        try (RunPhase phase = start(undisturbed, CALM)) {
            phase.awaitWork();
            phase.awaitEnd();
            calm = phase.end();
        }
        if (isInterrupted()) {
            return interrupted();
        }
        if (!calm.succeeded()) {
            announce("the calm run did not succeed: exit codes "
                    + calm.ends().stream().map(RunRecord.AgentEnd::exitCode).toList());
            calm.ends().stream().limit(1).forEach(end -> end.lastLines().forEach(err::println));
            return ExitCode.WORKER_FAILURE.code();
        }
        Comparison.Output expected = ResultCommand.run(command, CALM, directory.resolve(CALM));
        RunRecord record;
        announce("the same in a storm of " + options.weather().length().toSeconds() + " s, to its end");
        try (RunPhase phase = start(storm, STORM)) {
            phase.awaitWork();
            phase.storm(options, this::leaveOut);
            phase.awaitEnd();
            record = phase.end();
        }
        Comparison.Output result = ResultCommand.run(command, STORM, directory.resolve(STORM));
        return finish(storm, record, secondHalf(calm), Comparison.of(expected, result, record.succeeded()));
    }

    // Of the time in which the program worked, without its first and last moments.
    private static List<Sample> secondHalf(RunRecord calm) {
        List<Sample> work = calm.samples(calm.times().workNanos(), calm.times().endNanos() - FIRST_LOOK.toNanos());
        return work.subList(work.size() / 2, work.size());
    }

    private int interrupted() {
        ExitCode code = interruption.get();
        return code == null ? ExitCode.SUCCEEDED.code() : code.code();
    }

    private int finish(AgentLine storm, RunRecord record, List<Sample> calm, Comparison comparison) {
        if (isInterrupted()) {
            notes.add("a signal ended the storm early");
        } else if (record.faults().isEmpty()) {
            notes.add("no fault was due before the program ended");
        }
        ChaosReport report = new Measurement(setup(storm), record, events(record), calm)
                .report(comparison, options.forecast(), notes, options.minGoodput());
        write("report.txt", ReportText.of(report));
        write("report.json", ReportJson.of(report));
        write("report.html", ReportPage.of(report));
        out.print(ReportText.of(report));
        out.flush();
        announce("report.txt, report.json and report.html are in " + directory);
        if (isInterrupted()) {
            return interrupted();
        }
        return report.violations().isEmpty() ? ExitCode.SUCCEEDED.code() : ExitCode.WORKER_FAILURE.code();
    }

    private ChaosReport.Setup setup(AgentLine storm) {
        return new ChaosReport.Setup(
                storm.runId(),
                storm.config().restarts().policy(),
                agents(storm),
                storm.config().size().nprocPerNode(),
                options.weather(),
                network.map(ChaosNetwork::faults).orElse(NetFaults.NONE),
                options.calm(),
                line,
                directory);
    }

    private List<LoggedEvent> events(RunRecord record) {
        List<LoggedEvent> events = new ArrayList<>();
        Map<String, String> texts = new HashMap<>();
        Set<String> nodes = new HashSet<>();
        Set<String> cut = new HashSet<>();
        if (Files.isDirectory(record.runDirectory())) {
            EventFiles.forEach(record.runDirectory(), event -> {
                if (nodes.add(event.node()) && event.is(RunEvent.LogContinued.class)) {
                    cut.add(event.node());
                }
                if (Measurement.needs(event)) {
                    events.add(event.slim(texts));
                }
            });
        }
        if (!cut.isEmpty()) {
            notes.add("the oldest events of " + cut.size()
                    + " nodes were rotated away: recoveries and work before them are not in the figures");
        }
        return events;
    }

    private void write(String name, String text) {
        try {
            Files.writeString(directory.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + directory.resolve(name), e);
        }
    }
}
