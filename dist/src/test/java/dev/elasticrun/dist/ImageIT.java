/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The image, in containers that are made of it without an engine. */
@Timeout(180)
final class ImageIT {
    private static final Path LOGS = Path.of("/tmp/logs");
    private static final Path RUN_KEY = Path.of("/opt/run-key");
    private static final Installation INSTALLED =
            new Installation(Path.of("/opt/elastic-run"), Path.of("/opt/elastic-run/samples"));

    private static Path directory;
    private static OciImage image;

    @BeforeAll
    static void unpack() throws IOException, InterruptedException {
        UserProcess.requireRoot("containers");
        directory = Files.createTempDirectory("image-");
        image = OciImage.unpack(Product.image(), directory);
    }

    @AfterAll
    static void remove() throws IOException, InterruptedException {
        if (directory != null) {
            Product.delete(directory);
        }
    }

    @Test
    void config_reportsWhoRunsWhat() {
        assertThat(image.user()).isEqualTo("65534:65534");
        assertThat(image.config().at("/Entrypoint/0").asText()).isEqualTo("/opt/elastic-run/bin/elastic-run");
        assertThat(image.config()
                        .path("Labels")
                        .path("org.opencontainers.image.version")
                        .asText())
                .isEqualTo(Product.VERSION);
        assertThat(image.environment()).noneMatch(variable -> variable.matches("(LANG|LC_.*|HOME)=.*"));
    }

    @Test
    void workerOfTheSampleKilled_runGoesOnToItsEnd() throws Exception {
        try (ImageContainer container = start(arguments(INSTALLED.training(LOGS, TrainingRun.STEPS)))) {
            TrainingRun.assertSurvivesAKill(container.process());
        }
    }

    @Test
    void agent_isProcess1OfTheUser_andDrainsOnSigterm() throws Exception {
        try (ImageContainer container = start(arguments(INSTALLED.training(LOGS, 5000)))) {
            container.process().awaitOutput(" world 2 round 1");

            assertThat(container.first().info().command().orElseThrow()).endsWith("/opt/elastic-run/runtime/bin/java");
            assertThat(container.first().info().arguments().orElseThrow())
                    .contains("-XX:SharedArchiveFile=/opt/elastic-run/lib/elastic-run.jsa");
            assertThat(container.status("NSpid")).endsWith("\t1");
            assertThat(container.status("Uid")).isEqualTo("Uid:\t65534\t65534\t65534\t65534");
            assertThat(container.status("CapEff")).isEqualTo("CapEff:\t0000000000000000");
            Product.run("kill", "-TERM", Long.toString(container.first().pid()));

            assertThat(container.process().exitCode())
                    .as(container.process().err())
                    .isEqualTo(143);
        }
    }

    @Test
    void orphansOfWorkers_areWaitedFor() throws Exception {
        String program = "for i in 1 2 3 4 5; do sh -c 'sleep 0.5 & sleep 1 &'; done; sleep 2; echo made; sleep 3";
        try (ImageContainer container =
                start(List.of("--standalone", "--log-dir", LOGS.toString(), "sh", "-c", program))) {
            container.process().awaitOutput("made");

            container.awaitNoZombies();
            assertThat(container.process().exitCode())
                    .as(container.process().err())
                    .isZero();
        }
    }

    @Test
    void argumentOfOtherLetters_reachesTheProgram() throws Exception {
        try (ImageContainer container =
                start(List.of("--standalone", "--log-dir", LOGS.toString(), "sh", "-c", "echo \"<$0>\"", "grün"))) {
            assertThat(container.process().exitCode())
                    .as(container.process().err())
                    .isZero();
            assertThat(container.process().out() + container.process().err()).contains("<grün>");
        }
    }

    /** Two workers and the agent fit into 512 MiB: their heaps are parts of the limit, not of the machine's memory. */
    @Test
    void memoryLimit_isKept_andTheRunGoesOnToItsEnd() throws Exception {
        try (MemoryLimit limit = MemoryLimit.of(512L << 20)) {
            try (ImageContainer container = ImageContainer.start(
                    limit.enter(), image, directory, arguments(INSTALLED.training(LOGS, TrainingRun.STEPS)))) {
                TrainingRun.assertSurvivesAKill(container.process());
            }
            assertThat(limit.killed()).as("processes killed for want of memory").isZero();
        }
    }

    @Test
    void twoContainersOnTwoHosts_formOneRun_andTheOtherGoesOnWhenOneIsKilled() throws Exception {
        giveRunKey();
        List<String> arguments = onHosts(INSTALLED.program(5000));
        try (NetworkPair hosts = NetworkPair.open();
                ImageContainer one = ImageContainer.start(hosts.enter(1), image, directory, arguments)) {
            one.process().awaitOutput(" world 1 round 1");
            try (ImageContainer two = ImageContainer.start(hosts.enter(2), image, directory, arguments)) {
                one.process().awaitOutput(" world 2 round 2");
                two.first().destroyForcibly();
                one.process().awaitOutput(" world 1 round 3");
            }
            Product.run("kill", "-TERM", Long.toString(one.first().pid()));

            assertThat(one.process().exitCode()).as(one.process().err()).isEqualTo(143);
            assertThat(one.process().out() + one.process().err()).contains(" world 1 round 3");
        }
    }

    /** Of an agent for a run of one node or two, whose store is on the first host. */
    private static List<String> onHosts(List<String> program) {
        List<String> arguments = new ArrayList<>(List.of("--nnodes", "1:2", "--nproc-per-node", "1"));
        arguments.addAll(List.of("--rdzv-backend", "embedded", "--rdzv-endpoint", NetworkPair.address(1) + ":29400"));
        arguments.addAll(List.of("--run-key-file", RUN_KEY.toString(), "--run-id", "image"));
        arguments.addAll(List.of("--restart-policy", "soft", "--log-dir", LOGS.toString()));
        arguments.addAll(program);
        return arguments;
    }

    /** As a mounted secret. */
    private static void giveRunKey() throws IOException, InterruptedException {
        Path file = image.root().resolve(Path.of("/").relativize(RUN_KEY));
        Files.writeString(file, "0123456789abcdef".repeat(4));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
        Product.run("chown", image.user(), file.toString());
    }

    private static ImageContainer start(List<String> arguments) throws IOException {
        return ImageContainer.start(image, directory, arguments);
    }

    /** Without the command, which is the entry point. */
    private static List<String> arguments(List<String> command) {
        return command.subList(1, command.size());
    }
}
