/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.runtime.FrameworkRuntimeProvider;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.SocketTable;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A worker dies while XGBoost's group is formed, at points that matter to the others: they form it anew. */
@Timeout(300)
final class XgboostFormingE2E {
    private static final int ROUNDS = 20;

    @RegisterExtension
    final TestRun run = new TestRun();

    @ParameterizedTest
    @Tag("slow")
    @CsvSource({"CALLED, soft-replace", "ANSWERED, soft-replace", "CONNECTED, soft-replace"})
    void worker_diesWithinTheConversation(TrackerFront.Point point, String policy) throws Exception {
        form(point, policy, 1);
    }

    @ParameterizedTest
    @Tag("soak")
    @CsvSource({
        "CALLED, soft, 0", "ANSWERED, soft, 0", "CONNECTED, soft, 0",
        "CALLED, soft, 2", "ANSWERED, soft, 2", "CONNECTED, soft, 2",
        "CALLED, hard, 0", "ANSWERED, hard, 1", "CONNECTED, hard, 2",
        "CALLED, soft-replace, 0", "ANSWERED, soft-replace, 0", "CONNECTED, soft-replace, 2"
    })
    void worker_diesWithinTheConversation(TrackerFront.Point point, String policy, int rank) throws Exception {
        form(point, policy, rank);
    }

    private void form(TrackerFront.Point point, String policy, int rank) throws IOException {
        XgboostRuns training = new XgboostRuns(run, ROUNDS, 1, 3, policy)
                .on(DoomingRuntime.NAME + ":" + rank + "." + point, runtimeDirectory());
        AgentProcess[] agents = training.startAll();

        training.assertAsIfNothingHadHappened(agents);

        assertThat(agents[0].log().everStarted()).hasSizeBetween(4, 6);
        assertThat(agents[0].log().all("worker.failed"))
                .anySatisfy(event -> assertThat(event.text("message")).contains("SIGKILL"));
    }

    /** What a user would pack into a jar. */
    private Path runtimeDirectory() throws IOException {
        Path directory = run.directory().resolve("runtimes");
        for (Class<?> top : List.of(DoomingRuntime.class, TrackerFront.class, SocketTable.class)) {
            copy(top, directory);
        }
        copyAlone(Patience.class, directory);
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        Files.writeString(services.resolve(FrameworkRuntimeProvider.class.getName()), DoomingRuntime.class.getName());
        return directory;
    }

    /** A class without others in it, from wherever it is. */
    private static void copyAlone(Class<?> top, Path directory) throws IOException {
        Path target = directory.resolve(top.getName().replace('.', '/') + ".class");
        Files.createDirectories(target.getParent());
        try (InputStream in = Objects.requireNonNull(top.getResourceAsStream(top.getSimpleName() + ".class"))) {
            Files.copy(in, target);
        }
    }

    /** With the classes within it. */
    private static void copy(Class<?> top, Path directory) throws IOException {
        Path compiled = Project.ROOT.resolve("samples/target/test-classes");
        Path folder = compiled.resolve(top.getPackageName().replace('.', '/'));
        Path target = Files.createDirectories(directory.resolve(compiled.relativize(folder)));
        try (var files = Files.newDirectoryStream(folder, top.getSimpleName() + "{,$*}.class")) {
            for (Path file : files) {
                Files.copy(file, target.resolve(file.getFileName()));
            }
        }
    }
}
