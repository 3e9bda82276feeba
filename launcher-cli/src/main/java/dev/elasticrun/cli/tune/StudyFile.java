/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.tune;

import dev.elasticrun.agent.config.Setting;
import dev.elasticrun.agent.config.SettingTexts;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.cli.options.ConfigText;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.tune.curve.Objective;
import dev.elasticrun.tune.rule.StoppingRule;
import dev.elasticrun.tune.search.GridSearcher;
import dev.elasticrun.tune.search.RandomSearcher;
import dev.elasticrun.tune.search.Searcher;
import dev.elasticrun.tune.search.TpeSearcher;
import dev.elasticrun.tune.space.SearchSpace;
import dev.elasticrun.tune.study.StudyBudget;
import dev.elasticrun.tune.study.StudyConfig;
import dev.elasticrun.tune.study.StudyLimits;
import dev.elasticrun.tune.study.TrialProgram;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A study as its file describes it.
 *
 * @param agents how many this command starts itself; 0 = as many as the study can use at a time
 */
record StudyFile(StudyConfig study, int agents, ModelFile model) {
    /** The file, its keys, a parameter, its domain, a list or the values of a condition, and their items. */
    private static final int DEPTH = 6;

    private static final int DEFAULT_TRIALS = 20;
    private static final int DEFAULT_POINTS = 3;
    private static final Objective NO_OBJECTIVE = new Objective("none", Objective.Mode.MIN);

    /** @throws UsageException naming all that is wrong, with file and line */
    static StudyFile read(String file) {
        List<String> violations = new ArrayList<>();
        StudyFields fields = StudyFields.of(file, ConfigText.read("FILE", file, DEPTH), violations);
        Optional<StudyFile> study = new Reader(fields, violations).read();
        if (!violations.isEmpty()) {
            throw new UsageException(violations);
        }
        return study.orElseThrow();
    }

    /** With what the command line has in place of the file's. */
    static StudyFile read(TuneOptions options) {
        StudyFile file = read(options.file());
        return options.maxFailures()
                .map(text -> new StudyFile(file.study().withFailures(failures(text)), file.agents(), file.model()))
                .orElse(file);
    }

    private static int failures(String text) {
        try {
            return atLeast(text, 1);
        } catch (IllegalArgumentException e) {
            throw UsageException.of(TuneOptions.MAX_FAILURES, text, String.valueOf(e.getMessage()));
        }
    }

    private static final class Reader {
        private final StudyFields fields;
        private final List<String> violations;

        Reader(StudyFields fields, List<String> violations) {
            this.fields = fields;
            this.violations = violations;
        }

        Optional<StudyFile> read() {
            String name = fields.required("study", "", "a name", text -> text);
            Objective objective = objective();
            Map<String, List<String>> settings = settings();
            StudyLimits limits = limits(settings);
            Optional<SearchSpace> space =
                    fields.nested("space").flatMap(nested -> new SpaceFields(nested, violations).read());
            if (space.isEmpty() && violations.isEmpty()) {
                violations.add(UsageException.line("space", "missing", "parameters, each with what it can be"));
            }
            Optional<Searcher> searcher = space.map(this::searcher);
            StoppingRule rule = RuleFields.read(fields);
            TrialProgram program = program(settings);
            StudyBudget budget = budget();
            int agents = fields.value("agents", 0, text -> atLeast(text, 1));
            ModelFile model = new ModelFile(fields.value("model", "", text -> text));
            fields.end();
            if (!violations.isEmpty()) {
                return Optional.empty();
            }
            try {
                StudyConfig study = new StudyConfig(
                        name, objective, limits, space.orElseThrow(), searcher.orElseThrow(), rule, program, budget);
                TrialProgram.checkPlaces(
                        "model", List.of(model.template()), study.space().names());
                return Optional.of(new StudyFile(study, agents, model));
            } catch (IllegalArgumentException e) {
                violations.add(String.valueOf(e.getMessage()));
                return Optional.empty();
            }
        }

        private StudyBudget budget() {
            StudyBudget time = fields.value(
                    "budget", StudyBudget.NONE, text -> StudyBudget.NONE.withTime(SettingTexts.duration(text)));
            return fields.value("budget-steps", time, text -> time.withSteps(atLeast(text, 1)));
        }

        private Objective objective() {
            Objective.Mode mode = fields.value("mode", Objective.Mode.MIN, Reader::mode);
            return fields.required(
                    "metric",
                    NO_OBJECTIVE,
                    "the name of a metric that trials report",
                    text -> new Objective(text, mode));
        }

        private static Objective.Mode mode(String text) {
            return switch (text) {
                case "min" -> Objective.Mode.MIN;
                case "max" -> Objective.Mode.MAX;
                default -> throw new IllegalArgumentException("min or max");
            };
        }

        private StudyLimits limits(Map<String, List<String>> settings) {
            String nodes =
                    settings.getOrDefault(Settings.NNODES.name(), List.of("1")).get(0);
            String[] ends = nodes.split(":", 2);
            int trials = fields.value("trials", DEFAULT_TRIALS, text -> atLeast(text, 1));
            try {
                return new StudyLimits(
                        trials,
                        fields.value("concurrent", 1, text -> atLeast(text, 1)),
                        Integer.parseInt(ends[0]),
                        Integer.parseInt(ends[ends.length - 1]),
                        fields.value("move", true, Reader::yes),
                        fields.value("max-failures", trials, text -> atLeast(text, 1)));
            } catch (NumberFormatException e) {
                violations.add(UsageException.line("run: nnodes", nodes, "N or MIN:MAX"));
            } catch (IllegalArgumentException e) {
                violations.add(String.valueOf(e.getMessage()));
            }
            return new StudyLimits(1, 1, 1, 1, true, 1);
        }

        private static boolean yes(String text) {
            return switch (text.toLowerCase(Locale.ROOT)) {
                case "true", "yes" -> true;
                case "false", "no" -> false;
                default -> throw new IllegalArgumentException("true or false");
            };
        }

        private Searcher searcher(SearchSpace space) {
            long seed = fields.value("seed", 0L, Long::parseLong);
            int points = fields.value("points", DEFAULT_POINTS, text -> atLeast(text, 2));
            int startup = fields.value("startup", TpeSearcher.DEFAULT_STARTUP, text -> atLeast(text, 1));
            return fields.value("search", new RandomSearcher(space, seed), text -> switch (text) {
                case "random" -> new RandomSearcher(space, seed);
                case "grid" -> new GridSearcher(space, points);
                case "tpe" -> new TpeSearcher(space, seed, startup);
                default -> throw new IllegalArgumentException("random, grid or tpe");
            });
        }

        private TrialProgram program(Map<String, List<String>> settings) {
            String program = fields.required("program", "", "a jar, or anything that can be executed", text -> text);
            return new TrialProgram(
                    program, fields.texts("arguments"), settings, fields.value("reuse", false, Reader::yes));
        }

        private Map<String, List<String>> settings() {
            Map<String, List<String>> settings = new LinkedHashMap<>();
            fields.nested("run").ifPresent(run -> {
                for (String name : run.names()) {
                    Optional<Setting<?>> setting = Settings.all().stream()
                            .filter(one -> one.name().equals(name))
                            .findFirst();
                    setting.ifPresent(found -> {
                        int line = run.line(name);
                        List<String> texts = run.texts(name);
                        try {
                            found.kind().parse(texts);
                            settings.put(name, texts);
                        } catch (IllegalArgumentException e) {
                            run.wrong(
                                    line,
                                    name,
                                    new IllegalArgumentException(
                                            String.join(" ", texts) + " (expected: " + e.getMessage() + ")"));
                        }
                    });
                }
                run.end();
            });
            return settings;
        }
    }

    static int atLeast(String text, int least) {
        int value;
        try {
            value = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("a whole number, " + least + " or more", e);
        }
        if (value < least) {
            throw new IllegalArgumentException(least + " or more");
        }
        return value;
    }
}
