/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos;

import dev.elasticrun.cli.agents.LauncherCommand;
import dev.elasticrun.cli.chaos.report.Comparison;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;

/** Runs the shell command that prints the result of a run. */
final class ResultCommand {
    private ResultCommand() {}

    /**
     * In the current directory; its standard error is that of this process.
     *
     * @throws UncheckedIOException when there is no shell
     */
    static Comparison.Output run(String command, String phase, Path directory) {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", command)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        Map<String, String> environment = builder.environment();
        environment.putAll(RunPhase.variables(phase, directory));
        LauncherCommand.restoreLocale(environment);
        try {
            Process process = builder.start();
            byte[] text = process.getInputStream().readAllBytes();
            return new Comparison.Output(process.waitFor(), text);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + command, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + command + " ran", e);
        }
    }
}
