/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.elasticrun.rendezvous.store.FreePort;
import dev.elasticrun.samples.testing.Command;
import dev.elasticrun.samples.testing.NodeLogs;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.SlurmCluster;
import dev.elasticrun.samples.testing.SlurmElement;
import dev.elasticrun.samples.testing.Step;
import dev.elasticrun.samples.testing.StudyRun;
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
@Timeout(240)
final class SlurmE2E {
    private static final int NODES = 3;
    private static final int KEY_BYTES = 32;
    /** Less than the limit of a minute that an element is given, more than it has when it is. */
    private static final int SIGNAL_SECONDS = 59;

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
    @Tag("once")
    void train_elementIsPreempted_andQueuedAgain_othersStay_resultIsTheSame() {
        Command.Result refused = elastic(submit("partition=nowhere"));
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.output()).contains("elastic-run: ", "invalid partition specified: nowhere");

        String job = submitted();
        NodeLogs logs = logs(job);
        long round = logs.awaitTogether(0, NODES);
        Map<String, List<Long>> whole = logs.workers();

        // The last element: its job has the number of the whole array.
        SlurmElement.Preemption preemption = element(job, NODES - 1).preempt();
        round = logs.awaitTogether(round, NODES - 1);
        Map<String, List<Long>> without = logs.workers();
        assertThat(whole).containsAllEntriesOf(without);

        preemption.end();
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
    @Tag("slow")
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
    @Tag("slow")
    void train_storeInElement0_ofAPartitionThatIsNotPreempted() throws IOException {
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        Path keyFile = Files.write(run.directory().resolve("run.key"), key);
        Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("rw-------"));
        String job = submitted(submit(
                "1:" + NODES,
                SlurmCluster.CPUS,
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

    @Test
    @Tag("once")
    void train_nodeDies_othersStay() {
        String job = submitted();
        NodeLogs logs = logs(job);
        long round = logs.awaitTogether(0, NODES);
        Map<String, List<Long>> whole = logs.workers();

        String node = element(job, 1).node();
        slurm.killNode(node);
        try {
            logs.awaitTogether(round, NODES - 1);
            assertThat(whole).containsAllEntriesOf(logs.workers());
            run.hurryUp();
            element(job, 0).awaitState("COMPLETED");
            element(job, 2).awaitState("COMPLETED");
        } finally {
            slurm.startNode(node);
        }
        Recoveries.assertTrained(Trained.in(logs.workerOutputs().stream()));
    }

    /** Slurm looks after limits every half minute. */
    @Test
    @Tag("soak")
    void train_timeLimitIsNear_elementIsQueuedAgain_othersStay() {
        String job = submitted(submit("signal=TERM@" + SIGNAL_SECONDS));
        NodeLogs logs = logs(job);
        long round = logs.awaitTogether(0, NODES);
        Map<String, List<Long>> whole = logs.workers();

        // Slurm counts limits in minutes: at once there are fewer seconds left than the signal comes before the end.
        SlurmElement limited = element(job, 1);
        slurm.run("scontrol", "update", "JobId=" + limited.id(), "TimeLimit=1");
        round = logs.awaitTogether(round, NODES - 1);
        Map<String, List<Long>> without = logs.workers();
        assertThat(whole).containsAllEntriesOf(without);

        limited.awaitState("PENDING");
        slurm.run("scontrol", "update", "JobId=" + limited.id(), "TimeLimit=10");
        limited.startSoon();
        logs.awaitTogether(round, NODES);
        assertThat(logs.workers()).containsAllEntriesOf(without);
        run.hurryUp();
        awaitEnd();
        assertThat(parts(job, "state")).containsExactly("COMPLETED", "COMPLETED", "COMPLETED");
        assertThat(parts(job, "restarts")).containsExactly("0", "1", "0");
        Recoveries.assertTrained(Trained.in(logs.workerOutputs().stream()));
    }

    @Test
    @Tag("slow")
    void train_fileIsSubmittedTwice_runsDoNotMix() throws IOException {
        List<String> line = submit("2:2", SlurmCluster.CPUS / 2, List.of(), onEtcd());
        line.add(1, "--dry-run");
        Path file = Files.writeString(
                run.directory().resolve("train.sbatch"), elastic(line).output());

        String first = slurm.run("sbatch", "--parsable", file.toString());
        String second = slurm.run("sbatch", "--parsable", file.toString());
        NodeLogs logs = logs("slurm://" + first);
        // Each of the two is in its first round.
        assertThat(logs.awaitTogether(0, 4)).isEqualTo(1);
        assertThat(logs.byNode().values())
                .extracting(log -> log.everything().get(0).text("run"))
                .containsExactlyInAnyOrder(first, first, second, second);

        run.hurryUp();
        awaitEnd();
        for (String job : List.of(first, second)) {
            assertThat(parts("slurm://" + job, "state")).containsExactly("COMPLETED", "COMPLETED");
        }
        assertThat(Trained.in(logs.workerOutputs().stream())).hasSize(2);
        assertThat(Step.in(logs.workerOutputs().stream()))
                .extracting(Step::world)
                .containsOnly(2);
    }

    /** Agents of a pool in elements of a job: one is cancelled and one preempted while they work for trials. */
    @Test
    @Tag("slow")
    void study_withAgentsInElements_oneIsCancelled_anotherPreempted_noTrialIsLost() {
        try (StudyRun study = new StudyRun(run)) {
            study.writeForAPool();
            List<String> store = study.onEtcd();
            List<String> agent = new ArrayList<>(List.of("exec", Project.LAUNCHER.toString(), "agent"));
            agent.addAll(study.pooled(store));
            agent.addAll(List.of("--log-dir", logDirectory().toString()));
            String job = slurm.run(
                    "sbatch",
                    "--parsable",
                    "--array=0-" + (NODES - 1),
                    "--requeue",
                    "--partition=spot",
                    "--cpus-per-task=" + SlurmCluster.CPUS,
                    "--chdir=" + Project.ROOT,
                    "--output=" + run.directory() + "/agent-%a.log",
                    "--open-mode=append",
                    "--wrap",
                    String.join(" ", agent));
            study.drive(study.pooled(store));
            study.awaitOutput("trial 2/8 begins");

            slurm.run("scancel", job + "_0");
            study.awaitOutput("trial 3/8 begins");
            SlurmElement.Preemption preemption =
                    SlurmElement.of(slurm, job, NODES - 1).preempt();
            study.awaitOutput("trial 5/8 begins");
            preemption.end();

            study.assertNoTrialIsLost(slurm::logs);
        }
    }

    /** Onto the etcd of the run. */
    private List<String> submit(String... more) {
        return submit("1:" + NODES, SlurmCluster.CPUS, List.of(more), onEtcd());
    }

    private List<String> onEtcd() {
        return List.of("--rdzv-endpoint", run.etcd().endpoint());
    }

    /**
     * The words of the command.
     *
     * @param nodes for {@code --nnodes}
     * @param processors of each element
     * @param more options of the scheduler
     * @param store flags that name where the store is
     */
    private List<String> submit(String nodes, int processors, List<String> more, List<String> store) {
        List<String> arguments = new ArrayList<>(List.of(
                "partition=spot",
                "cpus-per-task=" + processors,
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
                nodes,
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

    private static SlurmElement element(String job, int index) {
        return SlurmElement.of(slurm, id(job), index);
    }

    private NodeLogs logs(String job) {
        return new NodeLogs(logDirectory(), () -> elastic(List.of("logs", job)).output() + slurm.state());
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

    private static void awaitEnd() {
        Patience.until(
                "the end of all jobs",
                TestRun.LIMIT,
                () -> slurm.run("squeue", "--noheader").isEmpty(),
                slurm::state);
    }
}
