/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

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
                UsageException.class, () -> RunFinder.one(Optional.of("no-such-run"), RunFinder.ANYWHERE));

        assertThat(refused.violations())
                .singleElement()
                .asString()
                .startsWith("--run-id: no-such-run (expected: a run that has an agent of yours on this host, or");
    }

    @Test
    void whereElse_filesOfTheRunAreHere_namesTheirDirectory() throws IOException {
        Files.createDirectory(logs.resolve("demo"));

        assertThat(RunFinder.whereElse(RunFinder.ANYWHERE, Optional.of("demo"), logs))
                .endsWith("are in " + logs.resolve("demo"));
    }

    @Test
    void whereElse_nothingIsHere_namesThePlace() {
        assertThat(RunFinder.whereElse(RunFinder.ANYWHERE, Optional.of("demo"), logs))
                .endsWith("by default " + logs + "/RUN/NODE");
        assertThat(RunFinder.whereElse(RunFinder.ANYWHERE, Optional.empty(), logs))
                .endsWith("by default " + logs + "/RUN/NODE");
    }
}
