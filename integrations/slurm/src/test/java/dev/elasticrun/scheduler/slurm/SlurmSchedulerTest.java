/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.elasticrun.scheduler.JobStatus;
import dev.elasticrun.scheduler.JobSummary;
import dev.elasticrun.scheduler.SchedulerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls of commands, which are scripts that record how they were called and print what Slurm would. */
@Timeout(60)
final class SlurmSchedulerTest {
    private static final String QUEUE = """
            7|0|8|RUNNING|n1|None|elastic-run,nodes=1:3|train
            7|1|7|PENDING||BeginTime|elastic-run,nodes=1:3|train
            """;

    @TempDir
    private Path programs;

    @Test
    void submit_handsTheFileOver_andReturnsTheNumber() throws IOException {
        program("sbatch", "cat >" + programs + "/file; echo '42;cluster'; echo 'sbatch: a remark' >&2");

        assertThat(scheduler().submit(Jobs.elastic(Map.of())))
                .satisfies(job -> assertThat(job.id()).isEqualTo("42"))
                .satisfies(job -> assertThat(job.remarks()).containsExactly("sbatch: a remark"));

        assertThat(calls()).containsExactly("sbatch --parsable");
        assertThat(programs.resolve("file")).hasContent(SbatchFile.render(Jobs.elastic(Map.of())));
    }

    @Test
    void submit_outputWhereNoDirectoryIs_hasARemark() throws IOException {
        program("sbatch", "echo 42");

        assertThat(scheduler()
                        .submit(Jobs.elastic(Map.of("output", programs + "/%a.out")))
                        .remarks())
                .isEmpty();
        assertThat(scheduler()
                        .submit(Jobs.elastic(Map.of("output", programs + "/logs/%a.out")))
                        .remarks())
                .singleElement()
                .asString()
                .startsWith("output: no directory " + programs + "/logs on this host;");
    }

    @Test
    void submit_refused_hasSlurmsWords() throws IOException {
        program("sbatch", "echo 'sbatch: error: invalid partition specified: nowhere' >&2; exit 1");

        assertThat(refusal(() -> scheduler().submit(Jobs.elastic(Map.of()))))
                .containsExactly("sbatch: error: invalid partition specified: nowhere");
    }

    @Test
    void submit_whereNoSlurmIs_namesTheCommand() {
        assertThat(refusal(() -> scheduler().submit(Jobs.elastic(Map.of()))))
                .containsExactly(
                        "sbatch: not found (expected: Slurm's commands on the PATH, as on a login node of a cluster)");
    }

    @Test
    void submit_withAStore_placesElement0_beforeAnythingStarts() throws IOException {
        program("sbatch", "echo 42");
        program("scontrol", "");

        scheduler()
                .submit(Jobs.elastic(Map.of("store-partition", "prod"), List.of("--nnodes=2:4", "--run-key-file=key")));

        assertThat(calls())
                .containsExactly(
                        "sbatch --parsable --hold", "scontrol update JobId=42_0 Partition=prod", "scontrol release 42");
    }

    @Test
    void submit_storeCannotBePlaced_isWithdrawn_orReportsWhatIsLeft() throws IOException {
        program("sbatch", "echo 42");
        program("scontrol", "echo 'Invalid partition name specified' >&2; exit 1");
        ThrowingCallable submit = () -> scheduler()
                .submit(Jobs.elastic(Map.of("store-partition", "prod"), List.of("--nnodes=2:4", "--run-key-file=key")));

        program("scancel", "");
        assertThat(refusal(submit)).containsExactly("Invalid partition name specified");
        assertThat(calls()).contains("scancel 42");

        program("scancel", "echo 'scancel: error: away' >&2; exit 1");
        assertThat(refusal(submit))
                .containsExactly(
                        "Invalid partition name specified",
                        "scancel: error: away",
                        "job 42 is left, held; remove it with: scancel 42");
    }

    @Test
    void list_andStatus_areReadFromSlurm() throws IOException {
        program("squeue", "cat <<'END'\n" + QUEUE + "END");
        program("scontrol", "echo 'JobId=8 ArrayJobId=7 ArrayTaskId=0 Restarts=2 StdOut=/o Power='");

        assertThat(scheduler().list()).containsExactly(new JobSummary("7", "train", "RUNNING", 1, 2));
        JobStatus status = scheduler().status("7");
        assertThat(status.runId()).isEqualTo("7");
        assertThat(status.parts())
                .containsExactly(
                        new JobStatus.Part("7_0", "n1", "RUNNING", 2, ""),
                        new JobStatus.Part("7_1", "", "PENDING", 0, "BeginTime"));
        assertThat(refusal(() -> scheduler().status("8")))
                .singleElement()
                .asString()
                .startsWith("slurm://8: not found (expected: a job of yours that elastic-run submitted;");
        assertThat(refusal(() -> scheduler().status("x")))
                .containsExactly("slurm://x: no job (expected: slurm://NUMBER)");
    }

    @Test
    void scale_down_cancelsElements_up_addsSome() throws IOException {
        program("squeue", "cat <<'END'\n" + QUEUE + "END");
        program("scancel", "");
        Files.writeString(programs.resolve("script"), SbatchFile.render(Jobs.elastic(Map.of())));
        program("scontrol", "cat " + programs + "/script");
        program("sbatch", "cat >" + programs + "/file; echo 12");

        assertThat(scheduler().scale("7", 1)).isEqualTo("slurm://7 is at 1 of 3 nodes: 7_1 cancelled");
        assertThat(scheduler().scale("7", 2)).isEqualTo("slurm://7 is at 2 of 3 nodes already");
        assertThat(scheduler().scale("7", 3)).isEqualTo("slurm://7 is at 3 of 3 nodes: 1 added as job 12");

        assertThat(calls())
                .contains(
                        "scancel 7_1",
                        "scontrol write batch_script 8 -",
                        "sbatch --parsable --array=0-0 --comment=elastic-run,nodes=1:3,of=7");
        assertThat(Files.readString(programs.resolve("file"))).contains("\njob=7\n");
        assertThat(refusal(() -> scheduler().scale("7", 4)))
                .containsExactly("nodes: 4 (expected: 1:3, with which the job was submitted)");
    }

    @Test
    void cancel_endsAllArrays_ofAJobThatHasNotEnded() throws IOException {
        program("scancel", "");
        program("squeue", "cat <<'END'\n" + QUEUE + "12|0|12|RUNNING|n4|None|elastic-run,nodes=1:3,of=7|train\nEND");
        scheduler().cancel("7");
        assertThat(calls()).contains("scancel 7 12");

        program("squeue", "echo '7|0|8|COMPLETED|n1|None|elastic-run,nodes=1:3|train'");
        assertThat(refusal(() -> scheduler().cancel("7")))
                .containsExactly("slurm://7: has ended, COMPLETED (expected: a job with elements that run or wait)");
    }

    @Test
    void logs_areTheLinesOfAllElements_alsoOneWithoutAnEnd() throws IOException {
        Path output = Files.writeString(programs.resolve("7_0.out"), "ü".repeat(40_000) + "x\n\nsecond");
        program("squeue", "cat <<'END'\n" + QUEUE + "END");
        program("scontrol", "echo 'JobId=8 ArrayJobId=7 ArrayTaskId=0 Restarts=0 StdOut=" + output + " Power='");
        List<String> lines = new ArrayList<>();

        scheduler().logs("7", false, lines::add);

        assertThat(lines).containsExactly("7_0: " + "ü".repeat(40_000) + "x", "7_0: ", "7_0: second");

        Files.delete(output);
        assertThat(refusal(() -> scheduler().logs("7", false, lines::add)))
                .singleElement()
                .asString()
                .startsWith(output + ": not on this host (expected: ");
    }

    private SlurmScheduler scheduler() {
        return new SlurmScheduler(new SlurmCommands(Map.of("PATH", programs + ":/nowhere")));
    }

    private static List<String> refusal(ThrowingCallable call) {
        return catchThrowableOfType(SchedulerException.class, call).lines();
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(programs.resolve("calls"));
    }

    private void program(String name, String body) throws IOException {
        Path script = Files.writeString(
                programs.resolve(name),
                "#!/bin/sh\nPATH=/usr/bin:/bin\necho " + name + " \"$@\" >>" + programs + "/calls\n" + body + "\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
    }
}
