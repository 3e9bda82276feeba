/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.tune;

import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.LaunchConfigException;
import dev.elasticrun.cli.log.LibraryLogs;
import dev.elasticrun.cli.log.LogSetup;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.cli.signal.SignalHandlers;
import dev.elasticrun.tune.driver.StudyDriver;
import dev.elasticrun.tune.driver.StudyException;
import dev.elasticrun.tune.pool.TrialLaunch;
import dev.elasticrun.tune.store.StudyCodec;
import dev.elasticrun.tune.store.TrialOrder;
import dev.elasticrun.tune.study.StudyConfig;
import dev.elasticrun.tune.trial.TrialTable;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** {@code elastic-run tune}: drives a study to its end, with agents of its own or those of a pool. */
public final class Tune {
    private final TuneOptions options;
    private final StudyFile file;
    private final StudyConfig study;
    private final StudyOutput output;
    private final Map<String, String> environment;
    private final PrintStream out;
    private final PrintStream err;
    private final AtomicReference<@Nullable ExitCode> interruption = new AtomicReference<>();

    private Tune(TuneOptions options, Map<String, String> environment, PrintStream out, PrintStream err) {
        this.options = options;
        this.file = StudyFile.read(options);
        this.study = file.study();
        this.output = StudyOutput.of(options, study.name());
        this.environment = Map.copyOf(environment);
        this.out = out;
        this.err = err;
    }

    /**
     * Returns what the process is to exit with: 0, 1 if no trial has succeeded, 130 or 143 if a signal ended it.
     *
     * @throws UsageException naming all that is wrong; nothing was started
     */
    public static int run(TuneOptions options, Map<String, String> environment, PrintStream out, PrintStream err) {
        return new Tune(options, environment, out, err).run();
    }

    private int run() {
        LogSetup.choose(
                options.launch().console().level(), options.launch().console().format(), environment);
        LibraryLogs.redirect();
        if (options.pool().isPresent() && options.launch().store().endpoints().isEmpty()) {
            throw UsageException.of("--pool", options.pool().get(), "--rdzv-endpoint with it: the store of the pool");
        }
        output.create();
        StudyOutput.Lock own = output.lock();
        try (StudyPlace place = StudyPlace.open(launch(), study.name(), output.directory())) {
            return found(place);
        } catch (LaunchConfigException e) {
            throw new UsageException(String.valueOf(e.getMessage()).lines().toList());
        } catch (StudyException e) {
            err.println("tune: " + e.getMessage());
            return ExitCode.WORKER_FAILURE.code();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED.code();
        } finally {
            own.close();
        }
    }

    private int found(StudyPlace place) throws InterruptedException {
        try {
            check(place.launch());
            place.served().ifPresent(output::serving);
            return drive(place);
        } finally {
            place.served().ifPresent(output::served);
        }
    }

    private LaunchConfig launch() {
        LaunchConfig given = options.launch();
        return given.get(Settings.LOG_DIR).equals(SettingValues.DEFAULTS.get(Settings.LOG_DIR))
                ? given.toBuilder().logDir(output.directory().resolve("logs")).unchecked()
                : given;
    }

    /** What would keep every trial from starting. */
    private void check(LaunchConfig launch) {
        Map<String, Object> parameters =
                study.searcher().parameters(1, List.of()).orElse(Map.of());
        TrialLaunch.of(
                new TrialOrder(
                        study.name(),
                        1,
                        study.runId("0", 1),
                        study.program().program(),
                        study.program().arguments(study.name(), 1, parameters),
                        study.program().settings(),
                        StudyCodec.parameters(parameters),
                        study.program().reuse()),
                launch);
    }

    private int drive(StudyPlace place) throws InterruptedException {
        String pool = options.pool().orElse(study.name());
        StudyConsole console = new StudyConsole(
                err,
                study.objective(),
                study.limits().trials(),
                new LivePage(table -> output.page(study, table), System::nanoTime)::look);
        err.println("tune: study " + study.name() + ", results go to " + output.directory());
        Optional<LocalPool> agents = options.pool().isPresent()
                ? Optional.empty()
                : Optional.of(LocalPool.start(place.launch(), pool, agents(), output.directory(), environment));
        try (StudyDriver driver =
                new StudyDriver(study, place.store(), pool, place.key(), console, InstantSource.system())) {
            List.of("TERM", "HUP").forEach(name -> SignalHandlers.install(name, () -> stop(driver, ExitCode.DRAINED)));
            SignalHandlers.install("INT", () -> stop(driver, ExitCode.INTERRUPTED));
            return finish(driver.run());
        } finally {
            if (agents.isPresent()) {
                agents.get().end();
            }
        }
    }

    private void stop(StudyDriver driver, ExitCode code) {
        interruption.compareAndSet(null, code);
        driver.stop();
    }

    private int agents() {
        return file.agents() > 0
                ? file.agents()
                : study.limits().concurrent() * study.limits().minAgents();
    }

    private int finish(TrialTable table) {
        output.write(study, table);
        out.print(new StudyResults(table).text() + file.model().text(study, table.best()));
        out.flush();
        Optional<ExitCode> signal = Optional.ofNullable(interruption.get());
        if (signal.isPresent()) {
            return signal.get().code();
        }
        return table.best().isPresent() ? ExitCode.SUCCEEDED.code() : ExitCode.WORKER_FAILURE.code();
    }
}
