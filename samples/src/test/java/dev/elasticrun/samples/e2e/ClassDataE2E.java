/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.samples.testing.AgentLog;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.TestRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The archive of workers' classes that an agent makes. */
@Timeout(120)
final class ClassDataE2E {
    @RegisterExtension
    final TestRun run = new TestRun();

    @TempDir
    private Path cache;

    @Test
    void replacement_usesTheArchive_andWritesWhatTheOthersWrite() throws IOException {
        // Not those of the environment of tests, which name an archive.
        List<String> options = List.of(
                "--standalone", "--nproc-per-node", "2", "--restart-policy", "soft-elastic", "--java-opts", "-Xmx256m");
        AgentProcess agent = run.agent(Map.of("XDG_CACHE_HOME", cache.toString()), options, run.training());
        long round = run.awaitTogether(2, agent);
        assertThat(agent.log().running()).noneMatch(ClassDataE2E::usesArchive);
        agent.await(RunEvent.ClassDataArchived.class);
        AgentLog.Slot first = agent.log().running().get(0);

        agent.worker(first.pid()).destroyForcibly();
        run.awaitTogether(round + 1, 2, agent);

        assertThat(agent.log().running())
                .filteredOn(ClassDataE2E::usesArchive)
                .extracting(AgentLog.Slot::pid)
                .singleElement()
                .isNotEqualTo(first.pid());
        run.hurryUp();
        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
        assertThat(run.trained()).singleElement().satisfies(trained -> assertThat(trained.accuracy())
                .isGreaterThanOrEqualTo(0.95));
        assertThat(agent.workerOutputs()).allSatisfy(output -> assertThat(output.lines())
                .allMatch(line -> line.startsWith("step ") || line.startsWith("accuracy ")));
    }

    @Test
    void firstWorkers_useTheArchiveOfTheRunBefore() throws IOException {
        List<String> options = List.of("--standalone", "--nproc-per-node", "1", "--java-opts", "-Xmx256m");
        Map<String, String> environment = Map.of("XDG_CACHE_HOME", cache.toString());
        AgentProcess first = run.agent(environment, options, run.training());
        first.await(RunEvent.ClassDataArchived.class);
        first.signal("TERM");
        assertThat(first.exitCode(TestRun.LIMIT)).as(first::console).isEqualTo(143);

        AgentProcess second = run.agent(environment, options, run.training());
        run.awaitTogether(1, second);

        assertThat(second.log().running()).singleElement().matches(ClassDataE2E::usesArchive);
        run.hurryUp();
        assertThat(second.exitCode(TestRun.LIMIT)).as(second::console).isZero();
        assertThat(second.log().all(RunEvent.ClassDataArchived.class)).isEmpty();
    }

    private static boolean usesArchive(AgentLog.Slot worker) {
        try {
            return Files.readString(Path.of("/proc/" + worker.pid() + "/maps")).contains("/class-data/");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
