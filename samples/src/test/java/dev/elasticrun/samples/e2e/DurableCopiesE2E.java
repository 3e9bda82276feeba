/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Agent and workers are killed; the same command, given again, goes on from a durable copy. */
@Tag("slow")
@Timeout(120)
final class DurableCopiesE2E {
    private static final int STEPS = 300;

    @RegisterExtension
    final TestRun run = new TestRun();

    /** The run is the same one then: its round names a node that is gone, and a version that nobody holds. */
    @Test
    void allKilled_sameStore_goesOnFromTheNewest() throws IOException {
        List<String> options = options(run.onEtcd("--lease-ttl", "3s"));
        start(options);

        AgentProcess again = run.agent(options, program());

        assertGoesOnFrom(versions().get(0), again);
        assertThat(again.log().all("state.lost")).isEmpty();
    }

    @Test
    void allKilled_anotherStoreAndNewestDamaged_goesOnFromTheOneBeforeAndReportsIt() throws IOException {
        List<String> options = options(List.of("--standalone", "--run-id", run.id()));
        start(options);
        List<Long> versions = versions();
        Path newest = directory().resolve(String.format("%012d.global", versions.get(0)));
        byte[] bytes = Files.readAllBytes(newest);
        bytes[bytes.length / 2] ^= 1;
        Files.write(newest, bytes);

        AgentProcess again = run.agent(options, program());

        assertGoesOnFrom(versions.get(1), again);
        assertThat(again.output()).contains(newest.getFileName() + " ignored: damaged: checksum of the content");
    }

    private void start(List<String> options) {
        AgentProcess first = run.agent(options, program());
        run.awaitTogether(2, first);
        Patience.until("two durable copies", TestRun.LIMIT, () -> versions().size() >= 2, first::console);
        run.awaitStep(10);
        Recoveries.killNode(first);
        first.exitCode(TestRun.LIMIT);
    }

    private List<String> options(List<String> where) {
        List<String> options = new ArrayList<>(where);
        options.addAll(List.of("--nproc-per-node", "2", "--restart-policy", "soft"));
        options.addAll(
                List.of("--checkpoint-dir", run.directory().resolve("durable").toString()));
        return options;
    }

    private static List<String> program() {
        return Project.training(STEPS, 20, "--report-every", "1");
    }

    private void assertGoesOnFrom(long version, AgentProcess again) {
        assertThat(again.exitCode(TestRun.LIMIT)).as(again::console).isZero();
        assertThat(again.log().all("worker.resumed")).hasSize(2).allMatch(event -> event.number("version") == version);
        assertThat(run.trained()).singleElement().satisfies(trained -> assertThat(trained.steps())
                .isEqualTo(STEPS));
    }

    private Path directory() {
        return run.directory().resolve("durable").resolve(run.id());
    }

    /** Of the whole copies, newest first. */
    private List<Long> versions() {
        if (!Files.isDirectory(directory())) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("[0-9]+\\.global"))
                    .map(name -> Long.parseLong(name.substring(0, name.indexOf('.'))))
                    .sorted((one, other) -> Long.compare(other, one))
                    .toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
