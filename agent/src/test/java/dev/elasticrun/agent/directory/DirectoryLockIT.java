/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.agent.process.HoldingAgent;
import dev.elasticrun.agent.process.TestJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run directory that another process has. */
@Timeout(60)
class DirectoryLockIT {
    private static final int ANY_SPACE = 0;

    @TempDir
    Path base;

    @TempDir
    Path disk;

    private Process holder;
    private Path held;

    @BeforeEach
    void hold() throws IOException {
        holder = new ProcessBuilder(TestJvm.command(List.of(), HoldingAgent.class, base.toString(), "inc", "n1"))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        held = holder.inputReader(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith(base.toString()))
                .map(Path::of)
                .findFirst()
                .orElseThrow();
    }

    @AfterEach
    void release() throws InterruptedException {
        holder.destroyForcibly().waitFor();
    }

    @Test
    void create_nodeOfAnotherProcess_reportsWhoHasItAndTakesNoOtherPlace() throws Exception {
        assertThatThrownBy(() -> RunDirectory.create(List.of(base, disk), ANY_SPACE, "inc", "n1"))
                .isInstanceOf(DirectoryInUseException.class)
                .hasMessageStartingWith(held + " ")
                .hasMessageContaining(" " + holder.pid() + " (java) (expected: ");

        assertThat(held.resolve("lock")).exists();
        assertThat(DirectoryLock.isHeld(held)).isTrue();
        assertThat(disk).isEmptyDirectory();
        holder.getOutputStream().close();
        assertThat(holder.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(holder.exitValue()).isZero();
    }

    @Test
    void create_onceTheOtherIsKilled_takesItsPlace() throws Exception {
        assertThatThrownBy(() -> RunDirectory.create(List.of(base), ANY_SPACE, "inc", "n1"))
                .isInstanceOf(DirectoryInUseException.class);
        holder.destroyForcibly().waitFor();

        try (RunDirectory taken = RunDirectory.create(List.of(base), ANY_SPACE, "inc", "n1")) {
            assertThat(taken.path()).isEqualTo(held);
        }
        assertThat(base).isEmptyDirectory();
    }
}
