/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.ElasticLauncher;
import dev.elasticrun.agent.LaunchResult;
import dev.elasticrun.agent.config.LogLevel;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.cli.log.LaunchConsole;
import dev.elasticrun.cli.log.LibraryLogs;
import dev.elasticrun.cli.log.LogOutput;
import dev.elasticrun.cli.log.LogSetup;
import dev.elasticrun.cli.options.LaunchOptions;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.cli.signal.SignalHandlers;
import dev.elasticrun.cli.view.FailureReport;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code elastic-run PROGRAM}: one agent, from its start to its report. */
final class RunCommand {
    private RunCommand() {}

    /**
     * Runs the agent until its end.
     *
     * @param noEffect what was given and has no effect, and why: sentences
     * @return what the process is to exit with
     */
    static int run(
            LaunchConfig config,
            boolean verbose,
            List<String> noEffect,
            Map<String, String> environment,
            PrintStream err) {
        LogLevel level = verbose ? LogLevel.DEBUG : config.console().level();
        LogSetup.choose(level, config.console().format(), environment);
        LibraryLogs.redirect();
        LaunchConsole console = LaunchConsole.open(environment);
        Thread.setDefaultUncaughtExceptionHandler(RunCommand::lost);
        noEffect.forEach(remark -> log().info("{}", remark));
        if (log().isDebugEnabled()) {
            log().debug("flags that are not at their default: {}", withoutValuesOfVariables(config));
        }
        // Before the agent: a signal that comes while it starts drains it, too.
        CompletableFuture<ElasticLauncher.Running> started = new CompletableFuture<>();
        List<String> draining = new ArrayList<>(List.of("TERM", "HUP"));
        config.drainSignals().forEach(signal -> draining.add(signal.name()));
        // Left alone, they would end the JVM: schedulers send them to all processes of a job.
        Stream.of("USR1", "USR2")
                .filter(name -> !draining.contains(name))
                .forEach(name -> SignalHandlers.install(
                        name, () -> log().info("SIG{} is ignored; --drain-signal {} makes it a drain", name, name)));
        draining.forEach(
                name -> SignalHandlers.install(name, () -> started.thenAccept(agent -> agent.drain(ExitCode.DRAINED))));
        SignalHandlers.install("INT", () -> started.thenAccept(agent -> agent.drain(ExitCode.INTERRUPTED)));
        ElasticLauncher.Running running = start(config, console);
        started.complete(running);
        LaunchResult result = await(running);
        console.progress("");
        ReplyFile.write(environment, result, Clock.systemUTC().instant());
        LogOutput.report(err, !result.succeeded(), FailureReport.render(result, ZoneId.systemDefault()));
        return result.exitCode();
    }

    /** An agent that lost a thread may wait for it for ever, and its run with it; its guard stops the workers. */
    private static void lost(Thread thread, Throwable error) {
        if (error instanceof Error) {
            try {
                log().error(
                                "thread {} ended, and the agent with it, as it can do its work no more",
                                thread.getName(),
                                error);
            } finally {
                // Also where there is no memory for a line of the log.
                Main.halt(ExitCode.WORKER_FAILURE);
            }
        } else {
            log().error("thread {} ended", thread.getName(), error);
        }
    }

    private static ElasticLauncher.Running start(LaunchConfig config, LaunchConsole console) {
        try {
            return ElasticLauncher.start(config, console);
        } catch (UncheckedIOException e) {
            throw new UsageException(List.of(e.getMessage() + ": " + e.getCause()));
        }
    }

    private static LaunchResult await(ElasticLauncher.Running running) {
        try {
            return running.result().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            running.drain(ExitCode.INTERRUPTED);
            return new LaunchResult(ExitCode.INTERRUPTED.code(), "interrupted", "", List.of(), List.of(), List.of());
        } catch (ExecutionException e) {
            log().error("the agent failed", e.getCause());
            return new LaunchResult(
                    ExitCode.WORKER_FAILURE.code(),
                    "the agent failed: " + e.getCause(),
                    "",
                    List.of(),
                    List.of(),
                    List.of());
        }
    }

    private static List<String> withoutValuesOfVariables(LaunchConfig config) {
        return LaunchOptions.arguments(config).stream()
                .takeWhile(argument -> !argument.equals("--"))
                .map(argument ->
                        argument.startsWith("--env=") ? argument.replaceFirst("=([^=]*)=.*", "=$1=...") : argument)
                .toList();
    }

    // Not a constant: the level must be known first.
    private static Logger log() {
        return LoggerFactory.getLogger(RunCommand.class);
    }
}
