/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.elasticrun.agent.launch.LaunchConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ElasticAgentTest {
    private static final String START = "cannot start the agent of node ";

    @TempDir
    Path logs;

    @Test
    void new_eventLogCannotBeOpened_leavesNoRunDirectory() throws IOException {
        Files.createFile(logs.resolve("taken"));
        LaunchConfig config = LaunchConfig.builder("true")
                .standalone(true)
                .runId("taken")
                .logDir(logs)
                .build();

        Throwable failure = catchThrowable(
                () -> new ElasticAgent(config, System.nanoTime(), LaunchListener.NONE, UnaryOperator.identity()));

        assertThat(failure).isInstanceOf(UncheckedIOException.class).hasMessageStartingWith(START);
        String nodeId = String.valueOf(failure.getMessage()).substring(START.length());
        for (Path base : List.of(Path.of("/dev/shm"), Path.of(System.getProperty("java.io.tmpdir")))) {
            try (Stream<Path> found = Files.list(base)) {
                List<Path> ours = found.filter(
                                path -> path.getFileName().toString().startsWith("elastic-run-"))
                        .flatMap(ElasticAgentTest::children)
                        .map(incarnation -> incarnation.resolve(nodeId))
                        .filter(Files::exists)
                        .toList();
                assertThat(ours).isEmpty();
            }
        }
    }

    @Test
    void closeAll_oneFails_closesTheOthersInOrder() {
        List<String> closed = new ArrayList<>();

        ElasticAgent.closeAll(List.of(
                () -> closed.add("first"),
                () -> {
                    throw new UncheckedIOException(new IOException("No space left on device"));
                },
                () -> closed.add("last")));

        assertThat(closed).containsExactly("first", "last");
    }

    private static Stream<Path> children(Path directory) {
        try (Stream<Path> found = Files.list(directory)) {
            return found.toList().stream();
        } catch (IOException e) {
            return Stream.empty();
        }
    }
}
