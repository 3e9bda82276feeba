/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.cli.Main;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands of docs/kubernetes.md, with the module in the class path of the command, on a simulated API server. */
@EnableKubernetesMockClient(https = false, crud = true)
@Timeout(60)
@SuppressWarnings("NullAway.Init")
@Tag("once")
final class KubernetesCommandTest {
    private static final String SUBMIT =
            "submit --scheduler kubernetes --job-name xgb --nnodes 2:4 --nproc-per-node 4 --rdzv-endpoint etcd1:2379"
                    + " --scheduler-args image=registry.example/train:1";
    private static final String PROGRAM = " /app/train.jar --rounds 100";

    private KubernetesMockServer server;
    private KubernetesClient client;

    @TempDir
    private Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void describeTheCluster() throws IOException {
        Files.writeString(directory.resolve("config"), """
                apiVersion: v1
                kind: Config
                current-context: test
                contexts: [{name: test, context: {cluster: test, user: test, namespace: default}}]
                clusters: [{name: test, cluster: {server: "http://localhost:%d"}}]
                users: [{name: test, user: {token: secret}}]
                """.formatted(server.getPort()));
    }

    @Test
    void dryRun_printsManifests_andCallsNothing() {
        assertThat(run(SUBMIT + " --dry-run" + PROGRAM)).isZero();

        assertThat(printed()).startsWith("---\n").contains("kind: \"Secret\"", "kind: \"Job\"", "name: \"xgb\"");
        assertThat(text(err)).isEmpty();
        assertThat(server.getRequestCount()).isZero();
    }

    @Test
    void commandsOfThePage_submitSeeScaleAndCancelAJob() throws IOException {
        String page = Files.readString(Path.of("..", "..", "docs", "kubernetes.md"));
        String block = page.substring(page.indexOf("```sh\n") + "```sh\n".length());
        Iterator<String> lines = block.substring(0, block.indexOf("```"))
                .replace("\\\n", "")
                .lines()
                .iterator();

        assertThat(printedBy(lines.next())).isEqualTo("kubernetes://default/xgb\n");
        assertThat(text(err).lines()).singleElement().asString().contains("etcd has no volume");
        assertThat(printedBy(lines.next()).lines())
                .containsExactly(
                        "JOB                       NAME  STATE    NODES",
                        "kubernetes://default/xgb  xgb   Running  0 of 4");
        assertThat(printedBy(lines.next()))
                .startsWith("job kubernetes://default/xgb xgb: Running, agents on 0 of 4 nodes, run xgb-");
        assertThat(printedBy(lines.next())).as("logs").isEmpty();
        assertThat(printedBy(lines.next())).contains("3 nodes");
        assertThat(Objects.requireNonNull(job()).getSpec().getParallelism()).isEqualTo(3);
        assertThat(printedBy(lines.next())).isEqualTo("cancelled kubernetes://default/xgb\n");
        assertThat(job()).isNull();
        assertThat(lines).isExhausted();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "submit --scheduler kubernetes true | image: not given (expected: an image with",
                "submit --scheduler kubernetes --nnodes 2 --scheduler-args image=x true | --rdzv-endpoint: not given (expected: HOST:PORT of an etcd, or the option etcd-image",
                "submit --scheduler kubernetes --scheduler-args imgae=x true | --scheduler-args: imgae (expected: image; one of image, namespace",
                "submit --scheduler kubernetes --scheduler-args image=x --job-name 4all true | --job-name: 4all (expected: a lower-case letter",
                "submit --scheduler kubernetes --nnodes 3:2 true | --nnodes: 3:2 (expected: N or MIN:MAX",
                "status kubernetes://xgb | id: xgb (expected: NAMESPACE/NAME",
                "status kubernetes://default/none | id: default/none (expected: a Job, JobSet or TrainJob that elastic-run submitted to",
            })
    void wrongInput_isNamed(String line, String expected) {
        assertThat(run(line)).isEqualTo(2);

        assertThat(printed()).isEmpty();
        assertThat(text(err)).startsWith("elastic-run: " + expected);
        assertThat(client.batch().v1().jobs().inAnyNamespace().list().getItems())
                .isEmpty();
    }

    private @Nullable Job job() {
        return client.batch().v1().jobs().inNamespace("default").withName("xgb").get();
    }

    private String printedBy(String line) {
        assertThat(line).startsWith("elastic-run ");
        assertThat(run(line.substring("elastic-run ".length()).replaceAll(" +", " ")))
                .as(() -> line + ": " + text(err))
                .isZero();
        return printed();
    }

    private int run(String line) {
        List<String> arguments = Arrays.asList(line.split(" ", -1));
        Map<String, String> environment =
                Map.of("KUBECONFIG", directory.resolve("config").toString());
        return Main.run(arguments, environment, stream(out), stream(err));
    }

    /** Since it was called the last time. */
    private String printed() {
        String text = text(out);
        out.reset();
        return text;
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
