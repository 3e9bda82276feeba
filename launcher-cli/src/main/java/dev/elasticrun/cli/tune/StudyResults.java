/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.tune;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.elasticrun.cli.text.TextTable;
import dev.elasticrun.tune.curve.Objective;
import dev.elasticrun.tune.trial.PoolTimeline;
import dev.elasticrun.tune.trial.Trial;
import dev.elasticrun.tune.trial.TrialTable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a study has found: as a table for people, as CSV and as JSON. Pure. */
final class StudyResults {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final TrialTable table;
    private final Objective objective;

    StudyResults(TrialTable table) {
        this.table = table;
        this.objective = table.objective();
    }

    /** A line for each trial, and {@link #best}. */
    String text() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("trial", "state", "step", objective.metric(), "parameters"));
        for (Trial trial : table.trials()) {
            rows.add(List.of(
                    Integer.toString(trial.number()),
                    phase(trial),
                    steps(trial),
                    hasBest(trial) ? String.format(Locale.ROOT, "%.6g", best(trial)) : "-",
                    StudyConsole.parameters(trial.parameters())));
        }
        return String.join("\n", TextTable.lines(rows)) + "\n" + best();
    }

    /** A trial with its curve. */
    String show(Optional<Trial> shown) {
        if (shown.isEmpty()) {
            return best();
        }
        Trial trial = shown.get();
        StringBuilder text = new StringBuilder("trial " + trial.number() + ": " + phase(trial));
        text.append(trial.reason().isEmpty() ? "\n" : ", " + trial.reason() + "\n");
        trial.parameters().forEach((name, value) -> text.append("  ")
                .append(name)
                .append(" = ")
                .append(value)
                .append('\n'));
        List<List<String>> rows = new ArrayList<>(List.of(List.of("step", objective.metric())));
        trial.curve()
                .losses()
                .forEach((step, loss) -> rows.add(
                        List.of(Long.toString(step), String.format(Locale.ROOT, "%.6g", objective.value(loss)))));
        TextTable.lines(rows).forEach(line -> text.append(line).append('\n'));
        return text.toString();
    }

    /** A line with the best trial. */
    String best() {
        return table.best()
                .map(trial -> "best: trial " + trial.number() + ", " + objective.metric() + " " + best(trial)
                        + " at step " + trial.curve().bestStep().orElseThrow() + ", "
                        + StudyConsole.parameters(trial.parameters()) + "\n")
                .orElse("best: none\n");
    }

    private static String phase(Trial trial) {
        return trial.phase().name().toLowerCase(Locale.ROOT);
    }

    private static String steps(Trial trial) {
        return trial.curve().isEmpty()
                ? "-"
                : Long.toString(trial.curve().newest().orElseThrow());
    }

    /** Whether it has reported a number. */
    private static boolean hasBest(Trial trial) {
        return Double.isFinite(TrialTable.loss(trial));
    }

    private double best(Trial trial) {
        return objective.value(trial.curve().best().orElseThrow());
    }

    /** A line for each trial, as RFC 4180 has it. */
    String csv() {
        Set<String> names = new LinkedHashSet<>();
        table.trials().forEach(trial -> names.addAll(trial.parameters().keySet()));
        List<List<String>> rows = new ArrayList<>();
        List<String> heading = new ArrayList<>(List.of("trial", "state", "step", objective.metric(), "reason"));
        heading.addAll(names);
        rows.add(heading);
        for (Trial trial : table.trials()) {
            List<String> row = new ArrayList<>(List.of(
                    Integer.toString(trial.number()),
                    phase(trial),
                    trial.curve().isEmpty() ? "" : steps(trial),
                    hasBest(trial) ? Double.toString(best(trial)) : "",
                    trial.reason()));
            names.forEach(name -> row.add(String.valueOf(trial.parameters().getOrDefault(name, ""))));
            rows.add(row);
        }
        return rows.stream()
                .map(row -> row.stream().map(StudyResults::quoted).collect(Collectors.joining(",")))
                .collect(Collectors.joining("\r\n", "", "\r\n"));
    }

    private static String quoted(String cell) {
        return cell.matches("[^\",\r\n]*") ? cell : "\"" + cell.replace("\"", "\"\"") + "\"";
    }

    /** With the curves. */
    String json() {
        Map<String, @Nullable Object> root = new LinkedHashMap<>();
        root.put("metric", objective.metric());
        root.put("mode", objective.mode().name().toLowerCase(Locale.ROOT));
        root.put("best", table.best().map(Trial::number).orElse(null));
        root.put("trials", table.trials().stream().map(this::json).toList());
        root.put("pool", table.pool().moments().stream().map(StudyResults::json).toList());
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, @Nullable Object> json(PoolTimeline.Moment moment) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("at", moment.at().toString());
        members.put("agents", moment.agents());
        return members;
    }

    private Map<String, @Nullable Object> json(Trial trial) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("trial", trial.number());
        members.put("state", phase(trial));
        members.put("reason", trial.reason());
        members.put("parameters", trial.parameters());
        members.put("steps", List.copyOf(trial.curve().losses().keySet()));
        members.put(
                "values",
                trial.curve().losses().values().stream()
                        .map(loss -> Double.isFinite(loss) ? objective.value(loss) : "NaN")
                        .toList());
        return members;
    }
}
