/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.cli.command.CompletionCommand;
import dev.elasticrun.cli.command.StatusCommand;
import dev.elasticrun.cli.options.HelpPage;
import dev.elasticrun.cli.options.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void help_goesToStandardOutput() {
        assertThat(run("--help")).isZero();
        assertThat(text(out)).startsWith("NAME").contains("SYNOPSIS", "--nnodes", "EXIT CODES", "SEE ALSO");
        assertThat(text(err)).isEmpty();
    }

    @Test
    void helpAfterOtherFlags_isTheSame() {
        assertThat(run("--standalone", "--help")).isZero();
        assertThat(text(out)).isEqualTo(HelpPage.RUN.text());
    }

    @Test
    void helpOfStatus_isItsOwn() {
        assertThat(run("status", "--json", "--help")).isZero();
        assertThat(text(out)).isEqualTo(StatusCommand.COMMAND.page().text());
    }

    @Test
    void otherOperatingSystem_isAUsageError() {
        assertThatThrownBy(() -> Main.check(List.of(), "Mac OS X"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("operating system: Mac OS X (expected: Linux)");
    }

    @Test
    void version_isOneLine() {
        assertThat(run("--version")).isZero();
        assertThat(text(out).lines()).singleElement().asString().startsWith("elastic-run ");
    }

    @Test
    void chaos_wrongFlagsAndLine_areAllNamed_andNothingIsStarted() {
        assertThat(run("chaos", "--every", "soon", "--net", "loss=2", "--", "--nnodes", "0", "no-such.jar"))
                .isEqualTo(2);
        assertThat(text(out)).isEmpty();
        assertThat(text(err).lines())
                .anySatisfy(line -> assertThat(line).startsWith("elastic-run: --every: soon (expected: "))
                .anySatisfy(line -> assertThat(line).startsWith("elastic-run: --net: loss=2 (expected: "))
                .anySatisfy(line -> assertThat(line).startsWith("elastic-run: --nnodes: 0 (expected: "))
                .anySatisfy(line -> assertThat(line).startsWith("elastic-run: PROGRAM: no-such.jar (expected: "));
    }

    @Test
    void chaos_net_refusesLinesThatTheNetworkCannotServe() {
        assertThat(run("chaos", "--net", "loss=2%", "--", "--rdzv-endpoint", "h:1", "--local-addr", "h", "--", "sh"))
                .isEqualTo(2);
        assertThat(text(err).lines())
                .anySatisfy(line ->
                        assertThat(line).startsWith("elastic-run: --rdzv-endpoint: h:1 (expected: none with --net"))
                .anySatisfy(line ->
                        assertThat(line).startsWith("elastic-run: --local-addr: given (expected: none with --net"));
        assertThat(run("chaos", "--net", "loss=2%", "--", "--standalone", "--", "sh"))
                .isEqualTo(2);
        assertThat(text(err)).contains("elastic-run: --standalone: given (expected: none with --net");
    }

    @Test
    void chaos_withoutALine_isAUsageError() {
        assertThat(run("chaos", "--for", "5s")).isEqualTo(2);
        assertThat(text(err)).contains("LINE: missing (expected: ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            value = {
                "torchrun --nproc_per_node 2 -m a.b --lr 1 => elastic-run --nproc-per-node=2 --module a.b --lr 1",
                "/opt/bin/torchrun --nnodes 1 t.py => elastic-run --nnodes=1 t.py",
                "python3.11 -u -m torch.distributed.run --nnodes 1 t.py => elastic-run --nnodes=1 t.py",
                "PET_NNODES=1 A=b/c torchrun t.py ${local_rank} => A=b/c elastic-run --nnodes=1 t.py '${local_rank}'",
                "torchrun --start-method fork t.py"
                        + " => elastic-run t.py\\n# --start-method: no effect, each worker is a process of its own",
            })
    void migrate_printsTheLineAndRemarks(String line, String expected) {
        assertThat(run(("migrate " + line).split(" "))).isZero();
        assertThat(text(out)).isEqualTo(expected.replace("\\n", "\n") + "\n");
    }

    @ParameterizedTest
    @CsvSource({"'', missing", "-- python3 t.py, 'python3'", "-- srun torchrun t.py, 'srun'"})
    void migrate_notTorchrun_isAUsageError(String line, String named) {
        assertThat(run(("migrate " + line).strip().split(" "))).isEqualTo(2);
        assertThat(text(err)).startsWith("elastic-run: TORCHRUN-LINE: ").contains(named);
    }

    @Test
    void usageError_isOneLinePerViolation_andAHint() {
        assertThat(run("--nnodes", "0", "--max-restarts", "-1", "no-such.jar")).isEqualTo(2);
        assertThat(text(out)).isEmpty();
        assertThat(text(err).lines())
                .containsExactly(
                        "elastic-run: --nnodes: 0 (expected: N or MIN:MAX with 1 <= MIN <= MAX)",
                        "elastic-run: --max-restarts: -1 (expected: N >= 0, or N/TIME with 1 <= N <= 1000 and TIME >= 1s, such as 3/1h)",
                        "elastic-run: PROGRAM: no-such.jar (expected: a jar that exists)",
                        "see elastic-run --help");
    }

    @ParameterizedTest
    @CsvSource({
        "statu, status?",
        "stats, status?",
        "lst, list?",
        "jobs, list?",
        "sbatch, submit?",
        "scancel, cancel?",
        "ps, status?",
        "runs, status?",
        "kill, stop?",
        "stpo, stop?",
        "log, logs?",
        "reboot, restart?",
        "true, tune?",
        "uptime, one of status"
    })
    void firstWord_thatIsNoCommand_startsNothing(String word, String expected) {
        assertThat(run(word)).isEqualTo(2);
        assertThat(text(out)).isEmpty();
        assertThat(text(err))
                .startsWith("elastic-run: COMMAND: " + word + " (expected: " + expected)
                .contains("elastic-run -- " + word + " ...");
    }

    @Test
    void program_onThePath_behindAFlagOrADash_isRun() {
        assertThat(run("--print-config", "--standalone", "true", "x.py")).isZero();
        assertThat(run("--print-config", "--", "true")).isZero();
        assertThat(text(out)).contains("program: true");
    }

    @Test
    void helpAndVersion_asWords_areTheSameAsTheFlags() {
        assertThat(run("help")).isZero();
        assertThat(text(out)).isEqualTo(HelpPage.RUN.text());
        out.reset();
        assertThat(run("help", "status")).isZero();
        assertThat(text(out)).isEqualTo(StatusCommand.COMMAND.page().text());
        out.reset();
        assertThat(run("version")).isZero();
        assertThat(text(out)).isEqualTo(HelpPage.VERSION.text());
    }

    @Test
    void statusWithArguments_isAUsageError() {
        assertThat(run("status", "demo")).isEqualTo(2);
        assertThat(text(err))
                .startsWith(
                        "elastic-run: argument: demo (expected: no arguments here but SCHEME://ID; --run-id names a run)");
    }

    @Test
    void printConfig_startsNothing() {
        assertThat(run("--nproc-per-node", "2", "--print-config", "/bin/true")).isZero();
        assertThat(text(out)).contains("program: /bin/true", "nproc-per-node: 2", "# flag --nproc-per-node");
        assertThat(text(err)).isEmpty();
    }

    @Test
    void completion_isForThreeShells() {
        assertThat(run("completion", "bash")).isZero();
        assertThat(run("completion", "zsh")).isZero();
        assertThat(text(out)).isEqualTo(CompletionCommand.SCRIPT.text().repeat(2));
        out.reset();
        assertThat(run("completion", "fish")).isZero();
        assertThat(text(out)).isEqualTo(CompletionCommand.FISH_SCRIPT.text());
        assertThat(run("completion")).isEqualTo(2);
        assertThat(run("completion", "csh")).isEqualTo(2);
        assertThat(text(err))
                .contains("shell: not given (expected: bash, zsh or fish)", "shell: csh (expected: bash, zsh or fish)");
    }

    private int run(String... arguments) {
        PrintStream toOut = new PrintStream(out, true, StandardCharsets.UTF_8);
        PrintStream toErr = new PrintStream(err, true, StandardCharsets.UTF_8);
        return Main.run(List.of(arguments), Map.of(), toOut, toErr);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
