/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code submit} and the commands about jobs, as far as no scheduler is needed. */
final class SubmitTest {
    private static final String ON_ETCD = "submit --scheduler slurm --nnodes 2:4 --rdzv-endpoint etcd1 ";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void dryRun_printsTheFile_ofAProgramThatIsNotHere() {
        assertThat(run(ON_ETCD + "--dry-run --scheduler-args partition=spot,cpus-per-task=4 --scheduler-args mem=1G"
                        + " /nodes/Only.jar --nnodes 9"))
                .isZero();
        assertThat(text(err)).isEmpty();
        assertThat(text(out).lines())
                .startsWith("#!/bin/bash", "#SBATCH --job-name=only", "#SBATCH --array=0-3")
                .contains(
                        "#SBATCH --partition=spot",
                        "#SBATCH --cpus-per-task=4",
                        "#SBATCH --mem=1G",
                        "  --nnodes=2:4 \\",
                        "  --rdzv-endpoint=etcd1 \\",
                        "  -- \\",
                        "  --nnodes \\",
                        "  9");
    }

    @Test
    void dryRun_flagsAreFromVariablesToo_andTorchrunsAreTranslated() {
        assertThat(Main.run(
                        List.of((ON_ETCD + "--dry-run --job-name x --start-method fork --nproc-per-node gpu true")
                                .split(" ", -1)),
                        Map.of("ELASTICRUN_MAX_RESTARTS", "7"),
                        stream(out),
                        stream(err)))
                .isZero();
        assertThat(text(out)).contains("--job-name=x\n", "  --nproc-per-node=gpu \\", "  --max-restarts=7 \\");
        assertThat(text(err)).contains("--start-method: no effect");
    }

    @Test
    void dryRun_nothingIsFromTheEngine_thatStartedTheCommand() {
        assertThat(Main.run(
                        List.of((ON_ETCD + "--dry-run true").split(" ", -1)),
                        Map.of(
                                "SLURM_JOB_ID", "8",
                                "SLURM_ARRAY_JOB_ID", "7",
                                "SLURM_ARRAY_TASK_ID", "1",
                                "SLURM_GPUS_ON_NODE", "4"),
                        stream(out),
                        stream(err)))
                .isZero();
        assertThat(text(out))
                .contains("  --run-id=\"$job\" \\\n")
                .doesNotContain("--run-id=7", "--node-rank", "--nproc-per-node");
    }

    @Test
    void dryRun_whatOnlyNodesHave_isNotChecked() {
        assertThat(run(
                        "submit --scheduler slurm --dry-run --nproc-per-node auto --tee 7:3 --java /nodes/java --bind-to core"
                                + " --bind-addr 203.0.113.1 --log-dir /dev/null/logs /nodes/app.jar"))
                .as(() -> text(err))
                .isZero();
        assertThat(text(out))
                .contains("  --bind-addr=203.0.113.1 \\", "  --log-dir=/dev/null/logs \\", "  --tee=7:3 \\");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "submit --nnodes 2 true | --scheduler: not given (expected: one of",
                "submit --scheduler slum true | --scheduler: slum (expected: slurm; one of",
                "submit --scheduler slurm --nods 2 true | --nods: unknown flag (expected: a flag that --help lists; the nearest is --nnodes)",
                "submit --scheduler slurm --nnodes 3:2 true | --nnodes: 3:2 (expected: N or MIN:MAX with 1 <= MIN <= MAX)",
                "submit --scheduler slurm --restart-policy sofd true | --restart-policy: sofd (expected: soft or one of",
                "submit --scheduler slurm --scheduler-args partion=x true | --scheduler-args: partion (expected: partition; one of partition,",
                "submit --scheduler slurm --job-name A true | --job-name: 'A' (expected: lower-case letters",
                "submit --scheduler slurm | PROGRAM: missing (expected: a jar",
                "submit --scheduler slurm -- --nnodes 2 true | PROGRAM: --nnodes (expected: flags before --",
                "submit --scheduler slurm --dry-run --nnodes 2 true | --rdzv-endpoint: not given (expected: HOST:PORT of an etcd",
                "submit --scheduler slurm --dry-run --scheduler-args time=x true | time: x (expected: MINUTES",
                "list slurm | SCHEME://: slurm (expected: nothing, or the name of a scheduler",
                "list slurm://7 | SCHEME://: slurm://7 (expected: nothing, or the name of a scheduler",
                "cancel 7 | SCHEME://ID: 7 (expected: a job of a scheduler",
                "status slum://7 | slum://7: slum (expected: slurm; one of",
                "status slurm://7 --watch 2 | --watch: given (expected: none with slurm://7, where only --json can be given)",
                "logs slurm://7 --rank 1 | --rank: given (expected: none with slurm://7, where --follow and --raw can be given)",
                "logs demo | argument: demo (expected: no arguments here but SCHEME://ID",
                "scale slurm://7 | NODES: not given (expected: a number of nodes, 1 or more)",
                "scale slurm://7 0 | NODES: 0 (expected: a number of nodes, 1 or more)",
                "scale 2:4 3 | argument: 3 (expected: one argument, MIN:MAX; or SCHEME://ID NODES)",
            })
    void wrongInput_isNamed_nothingIsCalled(String line, String expected) {
        assertThat(run(line)).isEqualTo(2);
        assertThat(text(out)).isEmpty();
        assertThat(text(err)).startsWith("elastic-run: " + expected);
    }

    @ParameterizedTest
    @CsvSource({"submit, sbatch", "status, squeue", "logs, squeue", "scale, squeue", "cancel, squeue", "list, squeue"})
    void whereNoSlurmIs_theCommandThatIsMissing_isNamed(String command, String missing) {
        List<String> words = new ArrayList<>(List.of(command));
        words.addAll(
                switch (command) {
                    case "submit" -> List.of("--scheduler", "slurm", "true");
                    case "scale" -> List.of("slurm://7", "2");
                    case "list" -> List.of("slurm://");
                    default -> List.of("slurm://7");
                });
        assertThat(run(words)).isEqualTo(2);
        assertThat(text(err).lines())
                .containsExactly("elastic-run: " + missing
                        + ": not found (expected: Slurm's commands on the PATH, as on a login node of a cluster)");
    }

    private int run(String line) {
        return run(Arrays.asList(line.split(" ", -1)));
    }

    private int run(List<String> arguments) {
        return Main.run(arguments, Map.of("PATH", "/nowhere"), stream(out), stream(err));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
