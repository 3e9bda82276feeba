/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.agents;

import dev.elasticrun.agent.config.Setting;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.cli.options.LaunchOptions;
import dev.elasticrun.cli.options.UsageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The command line of one node, and what chaos adds to it: a run id, a log directory and restarts, each unless given. Of
 * a flag given twice the last one counts, so what is added precedes the line.
 *
 * @param line as given
 * @param added before the line
 * @param config what both mean
 */
public record AgentLine(List<String> line, List<String> added, LaunchConfig config) {
    /** More than a storm of a month uses. */
    private static final String RESTARTS = "10000000";

    public AgentLine {
        line = List.copyOf(line);
        added = List.copyOf(added);
    }

    /**
     * Checked as an agent checks it.
     *
     * @param newRunId used unless the line names a run
     * @throws UsageException naming all that is wrong with the line
     */
    public static AgentLine of(List<String> line, Map<String, String> environment, String newRunId, Path logDirectory) {
        if (line.isEmpty()) {
            throw UsageException.of("LINE", "missing", "the command line of one node after --, without elastic-run");
        }
        Predicate<Setting<?>> isGiven = LaunchOptions.given(line, environment);
        List<String> added = new ArrayList<>();
        add(added, isGiven, Settings.RUN_ID, newRunId);
        add(added, isGiven, Settings.LOG_DIR, logDirectory.toString());
        add(added, isGiven, Settings.MAX_RESTARTS, RESTARTS);
        List<String> whole = new ArrayList<>(added);
        whole.addAll(line);
        LaunchConfig config = LaunchOptions.parse(whole, environment)
                .config()
                .orElseThrow(() -> UsageException.of("LINE", String.join(" ", line), "a line that starts a program"));
        return new AgentLine(line, added, config);
    }

    private static void add(List<String> added, Predicate<Setting<?>> isGiven, Setting<?> setting, String value) {
        if (!isGiven.test(setting)) {
            added.addAll(List.of(setting.option(), value));
        }
    }

    public String runId() {
        return config.get(Settings.RUN_ID);
    }

    public Path logDirectory() {
        return config.logs().directory().toAbsolutePath();
    }

    /** Whether its only agent serves the store, which ends with it. */
    public boolean isStandalone() {
        return config.store().standalone();
    }

    /** Whether no store is named at which the agents could meet. */
    public boolean needsStore() {
        return !isStandalone() && config.store().endpoints().isEmpty();
    }

    /**
     * The arguments of an agent.
     *
     * @param store flags by which a store is reached; empty = the line has them
     */
    public List<String> arguments(List<String> store) {
        List<String> arguments = new ArrayList<>(added);
        arguments.addAll(store);
        arguments.addAll(line);
        return arguments;
    }
}
