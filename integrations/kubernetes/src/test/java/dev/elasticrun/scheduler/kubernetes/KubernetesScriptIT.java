/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The jars as they are packaged: that of the module behind that of the command, which {@code bin/elastic-run} starts. */
@Timeout(60)
final class KubernetesScriptIT {
    private static final Path COMMAND = Path.of("..", "..", "launcher-cli", "bin", "elastic-run");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void submit_dryRun_printsManifests() throws IOException, InterruptedException {
        assertThat(run(
                        "submit --scheduler kubernetes --dry-run --nnodes 2:4 --rdzv-endpoint etcd1 --scheduler-args image=x"
                                + " train.jar"))
                .isZero();
        assertThat(read("out")).startsWith("---\n").contains("kind: \"Job\"", "--once");
        assertThat(read("err")).isEmpty();
    }

    @Test
    void list_whereNoServerAnswers_endsSoon() throws IOException, InterruptedException {
        Files.writeString(directory.resolve("config"), """
                apiVersion: v1
                kind: Config
                current-context: test
                contexts: [{name: test, context: {cluster: test, user: test}}]
                clusters: [{name: test, cluster: {server: "http://127.0.0.1:9"}}]
                users: [{name: test, user: {token: secret}}]
                """);

        assertThat(run("list kubernetes://")).isEqualTo(2);
        assertThat(read("out")).isEmpty();
        assertThat(read("err").lines())
                .singleElement()
                .asString()
                .startsWith("elastic-run: http://127.0.0.1:9/ does not answer as an API server of Kubernetes: ");
    }

    private int run(String line) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(COMMAND.toRealPath().toString()));
        command.addAll(Arrays.asList(line.split(" ", -1)));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(directory.resolve("out").toFile())
                .redirectError(directory.resolve("err").toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("KUBECONFIG", directory.resolve("config").toString());
        return builder.start().waitFor();
    }

    private String read(String name) throws IOException {
        return Files.readString(directory.resolve(name));
    }
}
