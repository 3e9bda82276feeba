/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.tune;

import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.LaunchConfigException;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.tune.driver.StudyReader;
import dev.elasticrun.tune.study.StudyConfig;
import dev.elasticrun.tune.trial.Trial;
import dev.elasticrun.tune.trial.TrialTable;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;

/** {@code elastic-run tune status}, {@code show}, {@code best}, {@code export} and {@code stop}: a study that another process drives, or has driven. */
public final class StudyQuery {
    /** What can be asked. */
    public static final List<String> VERBS = List.of("status", "show", "best", "export", "stop");
    /** Takes a trial, too. */
    public static final String SHOW = "show";

    private final TuneOptions options;
    private final StudyFile file;
    private final StudyConfig study;
    private final StudyOutput output;
    private final PrintStream out;
    private final PrintStream err;

    private StudyQuery(TuneOptions options, PrintStream out, PrintStream err) {
        this.options = options;
        this.file = StudyFile.read(options);
        this.study = file.study();
        this.output = StudyOutput.of(options, study.name());
        this.out = out;
        this.err = err;
    }

    /**
     * Returns what the process is to exit with: 0, or 1 if the store has no such study, or no trial of it has a result.
     *
     * @param verb one of {@link #VERBS}
     * @throws UsageException if the store cannot be reached, or has no such trial
     */
    public static int run(String verb, TuneOptions options, PrintStream out, PrintStream err) {
        return new StudyQuery(options, out, err).run(verb);
    }

    private int run(String verb) {
        LaunchConfig launch = output.reached(options.launch());
        if (launch.store().endpoints().isEmpty()) {
            throw UsageException.of(
                    "--rdzv-endpoint", "missing", "the store of the study: nothing drives it in " + output.directory());
        }
        try (RendezvousStore store = StudyPlace.store(launch, study.name())) {
            Optional<TrialTable> table = StudyReader.read(study, store);
            if (table.isEmpty()) {
                err.println("tune: the store has no study " + study.name());
                return ExitCode.WORKER_FAILURE.code();
            }
            return answer(verb, table.get(), store);
        } catch (LaunchConfigException e) {
            throw new UsageException(String.valueOf(e.getMessage()).lines().toList());
        }
    }

    private int answer(String verb, TrialTable table, RendezvousStore store) {
        StudyResults results = new StudyResults(table);
        switch (verb) {
            case SHOW -> {
                Optional<Trial> shown = shown(table);
                out.print(results.show(shown) + file.model().text(study, shown));
            }
            case "best" -> out.print(results.best() + file.model().text(study, table.best()));
            case "export" -> {
                output.write(study, table);
                err.println("tune: results.csv, results.json and results.html are in " + output.directory());
            }
            case "stop" -> {
                StudyReader.stop(study.name(), store);
                err.println("tune: study " + study.name() + " is to end");
                return ExitCode.SUCCEEDED.code();
            }
            default -> out.print(results.text());
        }
        out.flush();
        return table.best().isPresent() ? ExitCode.SUCCEEDED.code() : ExitCode.WORKER_FAILURE.code();
    }

    /** @throws UsageException if there is none of that number */
    private Optional<Trial> shown(TrialTable table) {
        if (options.trial().isEmpty()) {
            return table.best();
        }
        String text = options.trial().get();
        Optional<Trial> found = table.trials().stream()
                .filter(trial -> Integer.toString(trial.number()).equals(text))
                .findFirst();
        if (found.isEmpty()) {
            throw UsageException.of("TRIAL", text, "a trial that has begun: 1 to " + table.begun());
        }
        return found;
    }
}
