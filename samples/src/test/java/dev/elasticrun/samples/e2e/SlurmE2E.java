/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.elasticrun.samples.testing.Command;
import dev.elasticrun.samples.testing.NodeLogs;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.SlurmCluster;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.samples.testing.Trained;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jobs on real Slurm daemons: what Slurm takes and gives back is a change of the world, and no healthy worker ends. */
@Tag("once")
@Timeout(240)
final class SlurmE2E {
    private static final int NODES = 3;
    private static final int KEY_BYTES = 32;
    private static final Pattern JOB = Pattern.compile("slurm://(\\d+)");

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void train_elementIsPreempted_andQueuedAgain_othersStay_resultIsTheSame() {
        try (SlurmCluster slurm = SlurmCluster.start(run.directory(), NODES)) {
            Command.Result refused = elastic(slurm, submit("partition=nowhere"));
            assertThat(refused.exitCode()).isEqualTo(2);
            assertThat(refused.output()).contains("elastic-run: ", "invalid partition specified: nowhere");

            String job = submitted(slurm);
            NodeLogs logs = logs(slurm, job);
            long round = logs.awaitTogether(0, NODES);
            Map<String, List<Long>> whole = logs.workers();

            String guest = slurm.run(
                    "sbatch",
                    "--parsable",
                    "--partition=prod",
                    "--nodes=1",
                    "--cpus-per-task=" + SlurmCluster.CPUS,
                    "--output=/dev/null",
                    "--wrap=exec sleep 300");
            round = logs.awaitTogether(round, NODES - 1);
            Map<String, List<Long>> without = logs.workers();
            assertThat(whole).containsAllEntriesOf(without);

            String preempted = awaitQueuedAgain(slurm, job);
            // Only then has the element ended where it was: Slurm takes the end of one that it starts sooner for its
            // own.
            Patience.until(
                    "the job that preempts to run",
                    TestRun.LIMIT,
                    () -> slurm.run("squeue", "--noheader", "--jobs=" + guest, "--format=%T")
                            .equals("RUNNING"),
                    slurm::logs);
            slurm.run("scancel", guest);
            // Slurm makes an element wait for two minutes that is queued again.
            slurm.run("scontrol", "update", "JobId=" + preempted, "StartTime=now");
            logs.awaitTogether(round, NODES);
            assertThat(logs.workers()).containsAllEntriesOf(without);

            run.hurryUp();
            awaitStates(slurm, job, List.of("COMPLETED", "COMPLETED", "COMPLETED"));
            Recoveries.assertTrained(Trained.in(logs.workerOutputs().stream()));
            assertThat(elastic(slurm, List.of("logs", job)).output()).contains("_0: ", "_1: ", "_2: ");
        }
    }

    @Test
    void train_scaledByElements_thenCancelled_nothingIsLeft() {
        try (SlurmCluster slurm = SlurmCluster.start(run.directory(), NODES)) {
            String job = submitted(slurm);
            NodeLogs logs = logs(slurm, job);
            long round = logs.awaitTogether(0, NODES);
            Map<String, List<Long>> whole = logs.workers();

            assertThat(elastic(slurm, List.of("scale", job, "2")).output())
                    .contains(job + " is at 2 of 3 nodes: ", "_2 cancelled");
            round = logs.awaitTogether(round, 2);
            Map<String, List<Long>> fewer = logs.workers();
            assertThat(whole).containsAllEntriesOf(fewer);

            assertThat(elastic(slurm, List.of("scale", job, "3")).output())
                    .contains(job + " is at 3 of 3 nodes: 1 added");
            logs.awaitTogether(round, NODES);
            assertThat(logs.workers()).containsAllEntriesOf(fewer);
            assertThat(elastic(slurm, List.of("list", "slurm://")).output()).contains(job, "RUNNING", "3 of 3");

            assertThat(elastic(slurm, List.of("cancel", job)).exitCode()).isZero();
            awaitStates(slurm, job, List.of("CANCELLED", "CANCELLED", "CANCELLED", "CANCELLED"));
            assertThat(elastic(slurm, List.of("cancel", job)).output()).contains(job + ": has ended");
        }
    }

    @Test
    void train_storeInElement0_ofAPartitionThatIsNotPreempted() throws IOException {
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        Path keyFile = Files.write(run.directory().resolve("run.key"), key);
        Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("rw-------"));
        try (SlurmCluster slurm = SlurmCluster.start(run.directory(), NODES)) {
            String job = submitted(
                    slurm,
                    submit(
                            List.of("store-partition=prod", "store-port=" + SlurmCluster.freePort()),
                            List.of("--run-key-file", keyFile.toString())));
            logs(slurm, job).awaitTogether(0, NODES);
            assertThat(slurm.run("squeue", "--noheader", "--array", "--format=%K %P")
                            .lines())
                    .containsExactlyInAnyOrder("0 prod", "1 spot", "2 spot");

            run.hurryUp();
            awaitStates(slurm, job, List.of("COMPLETED", "COMPLETED", "COMPLETED"));
        }
    }

    /** Onto the etcd of the run. */
    private List<String> submit(String... more) {
        return submit(List.of(more), List.of("--rdzv-endpoint", run.etcd().endpoint()));
    }

    /**
     * The words of the command.
     *
     * @param more options of the scheduler
     * @param store flags that say where the store is
     */
    private List<String> submit(List<String> more, List<String> store) {
        List<String> arguments = new ArrayList<>(List.of(
                "partition=spot",
                "cpus-per-task=" + SlurmCluster.CPUS,
                "output=" + run.directory() + "/%A_%a.out",
                "elastic-run=" + Project.LAUNCHER));
        arguments.addAll(more);
        List<String> line = new ArrayList<>(List.of(
                "submit",
                "--scheduler",
                "slurm",
                "--scheduler-args",
                String.join(",", arguments),
                "--nnodes",
                "1:" + NODES,
                "--restart-policy",
                "soft",
                "--lease-ttl",
                "10s",
                "--last-call-timeout",
                "60s",
                "--log-dir",
                logDirectory().toString()));
        line.addAll(store);
        line.addAll(run.training());
        return line;
    }

    private Path logDirectory() {
        try {
            return Files.createDirectories(run.directory().resolve("logs"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String submitted(SlurmCluster slurm) {
        return submitted(slurm, submit());
    }

    /** As {@code slurm://ID}. */
    private String submitted(SlurmCluster slurm, List<String> line) {
        Command.Result result = elastic(slurm, line);
        Matcher job = JOB.matcher(result.output());
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(job.find()).as(result.output()).isTrue();
        return job.group();
    }

    private NodeLogs logs(SlurmCluster slurm, String job) {
        return new NodeLogs(
                logDirectory(),
                () -> elastic(slurm, List.of("status", job)).output()
                        + elastic(slurm, List.of("logs", job)).output()
                        + slurm.logs());
    }

    private Command.Result elastic(SlurmCluster slurm, List<String> arguments) {
        Map<String, String> environment = new HashMap<>(slurm.environment());
        environment.put("TMPDIR", run.temporary().toString());
        List<String> command = new ArrayList<>(List.of(Project.LAUNCHER.toString()));
        command.addAll(arguments);
        return Command.run(environment, TestRun.LIMIT, command);
    }

    private Stream<JsonNode> parts(SlurmCluster slurm, String job) {
        JsonNode parts = elastic(slurm, List.of("status", job, "--json")).json().path("parts");
        return StreamSupport.stream(parts.spliterator(), false);
    }

    /** The element that waits for a node after Slurm took it away. */
    private String awaitQueuedAgain(SlurmCluster slurm, String job) {
        List<String> found = new ArrayList<>();
        Patience.until(
                "an element that is queued again",
                TestRun.LIMIT,
                () -> parts(slurm, job)
                        .filter(part -> part.path("restarts").asInt() == 1
                                && part.path("state").asText().equals("PENDING"))
                        .map(part -> part.path("id").asText())
                        .anyMatch(found::add),
                () -> elastic(slurm, List.of("status", job)).output() + slurm.logs());
        return found.get(0);
    }

    private void awaitStates(SlurmCluster slurm, String job, List<String> states) {
        Patience.until(
                "elements with states " + states,
                TestRun.LIMIT,
                () -> parts(slurm, job)
                        .map(part -> part.path("state").asText())
                        .toList()
                        .equals(states),
                () -> elastic(slurm, List.of("status", job)).output()
                        + elastic(slurm, List.of("logs", job)).output()
                        + slurm.logs());
    }
}
