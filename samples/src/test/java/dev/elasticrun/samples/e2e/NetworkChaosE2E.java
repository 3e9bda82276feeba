/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.elasticrun.rendezvous.store.FetchedPrograms;
import dev.elasticrun.rendezvous.store.MachinePart;
import dev.elasticrun.samples.testing.Command;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code elastic-run chaos --net}. Processes that are left, those that hold namespaces and so their cables among them, are
 * looked for after each test.
 */
@Tag("slow")
@Timeout(120)
final class NetworkChaosE2E {
    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void storm_withPartitionsAndLoss_isReported_andTheRunGoesOn() throws IOException {
        String path = fetched("iproute2", "ip")
                + File.pathSeparator
                + fetched("nftables", "nft")
                + File.pathSeparator
                + System.getenv("PATH");

        JsonNode report = storm(path, "loss=1%,partition=2s", "partition=1", "--for=5s", "--calm=4s");

        String notes = report.path("notes").toString();
        if (notes.contains("left out")) {
            MachinePart.missing("network namespaces and packet rules", new IllegalStateException(notes));
        }
        assertThat(report.path("net").path("loss_percent").asDouble()).isEqualTo(1);
        assertThat(report.path("net").path("partition_ms").asLong()).isEqualTo(2000);
        assertThat(report.path("recovery").path("partition").path("injected").asInt())
                .isPositive();
        // On a busy machine the few seconds without faults may not be enough to know what a step takes.
        if (!report.path("calm").path("step_seconds").isNull()) {
            assertThat(report.path("steps").asLong()).as(report::toString).isPositive();
        }
        assertThat(report.path("state_lost").asInt()).isZero();
        assertThat(report.path("agents_took").path("ended_by_themselves")).isEmpty();
        assertThat(report.path("violations")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "ip, partition=1s, network faults are left out: there is no ip of iproute2 on the PATH",
        "nft, loss=1%, loss is left out: ",
    })
    void withoutTheProgram_theStormIsAsWithoutNet_andTheReportNamesWhatIsLeftOut(
            String program, String net, String note) throws IOException {
        JsonNode report = storm(pathWithout(program).toString(), net, "worker=1", "--for=1s", "--calm=2s");

        assertThat(report.path("notes").toString()).contains(note);
        assertThat(report.path("net").path("loss_percent").asDouble()).isZero();
        assertThat(report.path("net").path("partition_ms").asLong()).isZero();
        assertThat(report.path("recovery").path("partition").path("injected").asInt())
                .isZero();
        assertThat(report.path("violations")).isEmpty();
    }

    private JsonNode storm(String path, String net, String faults, String length, String calm) throws IOException {
        Path directory = run.directory().resolve("chaos");
        List<String> command = new ArrayList<>(List.of(
                Project.LAUNCHER.toString(),
                "chaos",
                "--net=" + net,
                "--faults=" + faults,
                length,
                calm,
                "--every=2500ms",
                "--seed=5",
                "--output=" + directory,
                "--",
                "--nnodes=1:2",
                "--restart-policy=soft-elastic"));
        command.addAll(Project.training(1_000_000, 20));
        Command.Result result =
                Command.run(Map.of("TMPDIR", run.temporary().toString(), "PATH", path), TestRun.LIMIT, command);
        assertThat(result.exitCode()).as(result.output()).isZero();
        return new ObjectMapper().readTree(Files.readString(directory.resolve("report.json")));
    }

    private static Path fetched(String packageName, String program) {
        return FetchedPrograms.directory(packageName, List.of(packageName), List.of(program));
    }

    /** A directory of links to all programs on the PATH but one. */
    private Path pathWithout(String missing) throws IOException {
        Path links = Files.createDirectory(run.directory().resolve("programs"));
        for (String directory : System.getenv("PATH").split(File.pathSeparator, -1)) {
            if (!Files.isDirectory(Path.of(directory))) {
                continue;
            }
            try (Stream<Path> programs = Files.list(Path.of(directory))) {
                for (Path program : programs.toList()) {
                    String name = program.getFileName().toString();
                    if (!name.equals(missing)) {
                        link(links.resolve(name), program);
                    }
                }
            }
        }
        return links;
    }

    private static void link(Path link, Path program) throws IOException {
        try {
            Files.createSymbolicLink(link, program.toAbsolutePath());
        } catch (FileAlreadyExistsException earlierOnThePath) {
            // That one counts.
        }
    }
}
