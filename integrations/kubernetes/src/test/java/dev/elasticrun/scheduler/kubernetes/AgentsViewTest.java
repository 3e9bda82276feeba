/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.cli.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What an agent makes of the arguments in the manifests and the variables of its pod. */
final class AgentsViewTest {
    private static final Map<String, String> POD =
            Map.of("KUBERNETES_SERVICE_HOST", "10.96.0.1", AgentArguments.POD_IP, "10.1.2.3");
    private static final Map<String, String> OF_TRAINER = Map.of(
            "PET_NNODES", "4",
            "PET_NPROC_PER_NODE", "1",
            "PET_NODE_RANK", "3",
            "PET_MASTER_ADDR", "xgb-node-0-0.xgb",
            "PET_MASTER_PORT", "29500",
            "JOB_COMPLETION_INDEX", "3");

    @TempDir
    private Path directory;

    @BeforeEach
    void mountTheKey() throws IOException {
        Path key = Files.write(directory.resolve(AgentArguments.KEY), new byte[32]);
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("r--------"));
    }

    @TestFactory
    Stream<DynamicTest> arguments_ofEachForm_areAccepted() {
        return Jobs.all().entrySet().stream()
                .map(each -> DynamicTest.dynamicTest(each.getKey(), () -> assertThat(view(each.getValue(), POD))
                        .contains("run-id: xgb-0a1b2c3d")));
    }

    @Test
    void pod_isReachedAtItsAddress_andComesOnce() {
        assertThat(view(Jobs.plain(), POD))
                .containsPattern("local-addr: 10\\.1\\.2\\.3 +# engine kubernetes, variable POD_IP")
                .containsPattern("once: true +# flag --once");
    }

    @Test
    void podOfTrainer_hasTheNodesOfTheManifest() {
        Map<String, String> environment = new HashMap<>(POD);
        environment.putAll(OF_TRAINER);

        assertThat(view(Jobs.plain().with("form", "trainjob"), environment))
                .containsPattern("nnodes: 2:4 +# flag --nnodes")
                .containsPattern("nproc-per-node: 4 +# flag --nproc-per-node")
                .containsPattern("node-rank: 3 +# variable PET_NODE_RANK")
                .contains("rdzv-endpoint: etcd.example:2379 ");
    }

    private String view(Jobs job, Map<String, String> environment) {
        List<String> arguments = AgentArguments.of(job.spec(), Jobs.IDENTITY);
        List<String> line = Stream.of(
                        Stream.of("--print-config"),
                        arguments.stream().limit(arguments.indexOf("--")).map(argument -> argument.replace("$$", "$")
                                .replace(AgentArguments.KEY_DIR, directory.toString())
                                .replace(AgentArguments.LOG_DIR, directory.toString())),
                        Stream.of("--", "/bin/true"))
                .flatMap(part -> part)
                .toList();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();

        int exitCode = Main.run(line, environment, stream(out), stream(err));

        assertThat(exitCode).as(err.toString(StandardCharsets.UTF_8)).isZero();
        return out.toString(StandardCharsets.UTF_8);
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }
}
