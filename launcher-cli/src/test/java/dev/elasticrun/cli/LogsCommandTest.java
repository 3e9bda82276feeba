/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogsCommandTest {
    @TempDir
    private Path logs;

    @Test
    void run_noAgentOfTheRunHere_isAUsageErrorThatNamesTheFiles() {
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
        UsageException refused = catchThrowableOfType(
                UsageException.class, () -> LogsCommand.run(List.of("--run-id", "no-such-run"), nowhere, nowhere));

        assertThat(refused.violations())
                .singleElement()
                .asString()
                .startsWith(
                        "--run-id: no-such-run (expected: a run that has an agent of yours on this host; files stay");
    }

    @Test
    void whereElse_filesOfTheRunAreHere_namesTheirDirectory() throws IOException {
        Files.createDirectory(logs.resolve("demo"));

        assertThat(LogsCommand.whereElse(Optional.of("demo"), logs)).endsWith("are in " + logs.resolve("demo"));
    }

    @Test
    void whereElse_nothingIsHere_namesThePlace() {
        assertThat(LogsCommand.whereElse(Optional.of("demo"), logs)).endsWith("by default " + logs + "/RUN/NODE");
        assertThat(LogsCommand.whereElse(Optional.empty(), logs)).endsWith("by default " + logs + "/RUN/NODE");
    }
}
