/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.log;

import dev.elasticrun.agent.LaunchListener;
import java.io.PrintStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The console of a launch: whose its lines are, and on a terminal a line that shows how far the job is. */
public final class LaunchConsole implements LaunchListener {
    private static final int USUAL_COLUMNS = 80;

    private final @Nullable PrintStream texts;

    private LaunchConsole(@Nullable PrintStream texts) {
        this.texts = texts;
    }

    /**
     * Takes the place of standard output and error of this process as far as they are a terminal. Call once, after
     * {@link LogSetup#choose}.
     */
    public static LaunchConsole open(Map<String, String> environment) {
        boolean isDumb = environment.getOrDefault("TERM", "dumb").equals("dumb");
        if (!Terminal.is(Terminal.ERROR) || isDumb || !LogSetup.isText()) {
            return new LaunchConsole(null);
        }
        ProgressLine line = new ProgressLine(System.err, columns(environment.getOrDefault("COLUMNS", "")));
        System.setErr(line.around(System.err));
        if (Terminal.is(Terminal.OUTPUT)) {
            System.setOut(line.around(System.out));
        }
        return new LaunchConsole(line.texts());
    }

    private static int columns(String given) {
        return given.matches("[1-9][0-9]{0,3}") ? Integer.parseInt(given) : USUAL_COLUMNS;
    }

    @Override
    public void named(String runId, String nodeId) {
        LogSetup.origin(runId, nodeId);
    }

    @Override
    public boolean showsProgress() {
        return texts != null;
    }

    @Override
    public void progress(String line) {
        if (texts != null) {
            LogOutput.queue().show(texts, line.isEmpty() ? " " : line);
        }
    }
}
