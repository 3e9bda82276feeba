/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.elasticrun.cli.options.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunFinderTest {
    @TempDir
    private Path logs;

    @Test
    void one_noAgentOfTheRunHere_isAUsageErrorThatNamesTheFiles() {
        UsageException refused = catchThrowableOfType(
                UsageException.class, () -> RunFinder.one(Optional.of("no-such-run"), RunFinder.ANYWHERE, () -> logs));

        assertThat(refused.violations())
                .singleElement()
                .asString()
                .startsWith("--run-id: no-such-run (expected: a run that has an agent of yours on this host, or");
    }

    @Test
    void whereElse_filesOfTheRunAreHere_namesTheirDirectory() throws IOException {
        Files.createDirectory(logs.resolve("demo"));

        assertThat(RunFinder.whereElse(RunFinder.ANYWHERE, Optional.of("demo"), logs))
                .contains("are in " + logs.resolve("demo") + "; elastic-run explain --run-id demo --log-dir " + logs);
    }

    @Test
    void whereElse_ofARunThatEnded_reportsHow() throws IOException {
        Path node = Files.createDirectories(logs.resolve("demo").resolve("a-1"));
        Files.writeString(
                node.resolve("events.jsonl"),
                "{\"time\":\"2026-01-01T00:00:00Z\",\"run\":\"demo\",\"incarnation\":\"i\",\"node\":\"a-1\",\"round\":2,"
                        + "\"incident\":\"2\",\"nanos\":5,\"kind\":\"run.ended\",\"succeeded\":false,\"exit_code\":143,"
                        + "\"reason\":\"stopped by command of ann\"}\n");

        assertThat(RunFinder.whereElse(RunFinder.ANYWHERE, Optional.of("demo"), logs))
                .contains("it ended: stopped by command of ann (exit code 143); elastic-run explain");
    }

    @Test
    void whereElse_nothingIsHere_namesThePlace() {
        assertThat(RunFinder.whereElse(RunFinder.ANYWHERE, Optional.of("demo"), logs))
                .endsWith("by default " + logs + "/RUN/NODE");
        assertThat(RunFinder.whereElse(RunFinder.ANYWHERE, Optional.empty(), logs))
                .endsWith("by default " + logs + "/RUN/NODE");
    }
}
