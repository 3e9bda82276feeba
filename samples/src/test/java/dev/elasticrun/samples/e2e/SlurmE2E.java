/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.elasticrun.rendezvous.store.FreePort;
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
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Jobs on real Slurm daemons: what Slurm takes and gives back is a change of the world, and no healthy worker ends. */
@Tag("once")
@Timeout(240)
final class SlurmE2E {
    private static final int NODES = 3;
    private static final int KEY_BYTES = 32;
    private static final Pattern JOB = Pattern.compile("slurm://(\\d+)");

    @TempDir
    private static Path directory;

    @AutoClose
    private static SlurmCluster slurm;

    @RegisterExtension
    final TestRun run = new TestRun();

    @BeforeAll
    static void start() {
        slurm = SlurmCluster.start(directory, NODES);
    }

    @AfterEach
    void endJobs() {
        slurm.endJobs();
    }

    @Test
    void train_elementIsPreempted_andQueuedAgain_othersStay_resultIsTheSame() {
        Command.Result refused = elastic(submit("partition=nowhere"));
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.output()).contains("elastic-run: ", "invalid partition specified: nowhere");

        String job = submitted();
        NodeLogs logs = logs(job);
        long round = logs.awaitTogether(0, NODES);
        Map<String, List<Long>> whole = logs.workers();

        // The last element: its job has the number of the whole array.
        String last = id(job) + "_" + (NODES - 1);
        String guest = slurm.run(
                "sbatch",
                "--parsable",
                "--partition=prod",
                "--nodes=1",
                "--nodelist=" + slurm.run("squeue", "--noheader", "--jobs=" + last, "--format=%N"),
                "--cpus-per-task=" + SlurmCluster.CPUS,
                "--output=/dev/null",
                "--wrap=exec sleep 300");
        round = logs.awaitTogether(round, NODES - 1);
        Map<String, List<Long>> without = logs.workers();
        assertThat(whole).containsAllEntriesOf(without);

        awaitState(last, "PENDING");
        // Only then has the element ended where it was: Slurm takes the end of one that it starts sooner for its own.
        awaitState(guest, "RUNNING");
        slurm.run("scancel", guest);
        // Slurm makes an element wait for two minutes that is queued again, and refuses it within the second of its
        // end.
        slurm.run("scontrol", "update", "JobId=" + last, "StartTime=now+3");
        logs.awaitTogether(round, NODES);
        assertThat(logs.workers()).containsAllEntriesOf(without);

        run.hurryUp();
        awaitEnd();
        assertThat(parts(job, "state")).containsExactly("COMPLETED", "COMPLETED", "COMPLETED");
        assertThat(parts(job, "restarts")).containsExactly("0", "0", "1");
        Recoveries.assertTrained(Trained.in(logs.workerOutputs().stream()));
        assertThat(elastic(List.of("logs", job)).output()).contains("_0: ", "_1: ", "_2: ");
    }

    @Test
    void train_scaledByElements_thenCancelled_nothingIsLeft() {
        String job = submitted();
        NodeLogs logs = logs(job);
        long round = logs.awaitTogether(0, NODES);
        Map<String, List<Long>> whole = logs.workers();

        assertThat(elastic(List.of("scale", job, "2")).output())
                .contains(job + " is at 2 of 3 nodes: ", "_2 cancelled");
        round = logs.awaitTogether(round, 2);
        Map<String, List<Long>> fewer = logs.workers();
        assertThat(whole).containsAllEntriesOf(fewer);

        assertThat(elastic(List.of("scale", job, "3")).output()).contains(job + " is at 3 of 3 nodes: 1 added");
        logs.awaitTogether(round, NODES);
        assertThat(logs.workers()).containsAllEntriesOf(fewer);
        assertThat(elastic(List.of("list", "slurm://")).output()).contains(job, "RUNNING", "3 of 3");

        assertThat(elastic(List.of("cancel", job)).exitCode()).isZero();
        awaitEnd();
        assertThat(parts(job, "state")).hasSize(NODES + 1).containsOnly("CANCELLED");
        assertThat(elastic(List.of("cancel", job)).output()).contains(job + ": has ended");
    }

    @Test
    void train_storeInElement0_ofAPartitionThatIsNotPreempted() throws IOException {
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        Path keyFile = Files.write(run.directory().resolve("run.key"), key);
        Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("rw-------"));
        String job = submitted(submit(
                List.of("store-partition=prod", "store-port=" + FreePort.find()),
                List.of("--run-key-file", keyFile.toString())));
        logs(job).awaitTogether(0, NODES);
        assertThat(slurm.run("squeue", "--noheader", "--array", "--format=%K %P")
                        .lines())
                .containsExactlyInAnyOrder("0 prod", "1 spot", "2 spot");

        run.hurryUp();
        awaitEnd();
        assertThat(parts(job, "state")).containsExactly("COMPLETED", "COMPLETED", "COMPLETED");
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

    private String submitted() {
        return submitted(submit());
    }

    /** As {@code slurm://ID}. */
    private String submitted(List<String> line) {
        Command.Result result = elastic(line);
        Matcher job = JOB.matcher(result.output());
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(job.find()).as(result.output()).isTrue();
        return job.group();
    }

    private static String id(String job) {
        return job.substring(job.lastIndexOf('/') + 1);
    }

    private NodeLogs logs(String job) {
        return new NodeLogs(logDirectory(), () -> elastic(List.of("logs", job)).output() + state());
    }

    private Command.Result elastic(List<String> arguments) {
        Map<String, String> environment = new HashMap<>(slurm.environment());
        environment.put("TMPDIR", run.temporary().toString());
        List<String> command = new ArrayList<>(List.of(Project.LAUNCHER.toString()));
        command.addAll(arguments);
        return Command.run(environment, TestRun.LIMIT, command);
    }

    /** One field of each element. */
    private List<String> parts(String job, String field) {
        JsonNode parts = elastic(List.of("status", job, "--json")).json().path("parts");
        return StreamSupport.stream(parts.spliterator(), false)
                .map(part -> part.path(field).asText())
                .toList();
    }

    private static void awaitState(String job, String state) {
        Patience.until(
                "job " + job + " to be " + state,
                TestRun.LIMIT,
                () -> slurm.run("squeue", "--noheader", "--jobs=" + job, "--format=%T")
                        .equals(state),
                SlurmE2E::state);
    }

    private static void awaitEnd() {
        Patience.until(
                "the end of all jobs",
                TestRun.LIMIT,
                () -> slurm.run("squeue", "--noheader").isEmpty(),
                SlurmE2E::state);
    }

    private static String state() {
        return slurm.run("scontrol", "--oneliner", "show", "job") + "\n" + slurm.logs();
    }
}
