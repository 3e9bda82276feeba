/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.elasticrun.scheduler.JobSpec;
import dev.elasticrun.scheduler.SchedulerException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The file that is submitted, as text and as bash runs it. */
@Timeout(60)
final class SbatchFileTest {
    private static final Path GOLDEN = Path.of("src/test/resources/dev/elasticrun/scheduler/slurm/train.sbatch");

    @TempDir
    private Path directory;

    @Test
    @Tag("golden")
    void render_withAnEtcd_isTheWholeFile() throws IOException {
        String file = SbatchFile.render(Jobs.elastic(Map.of("partition", "spot", "cpus-per-task", "16")));

        if (Boolean.getBoolean("golden.write")) {
            Files.writeString(GOLDEN, file);
        }
        assertThat(file).as(GOLDEN + ", see -Dgolden.write=true").isEqualTo(Files.readString(GOLDEN));
    }

    @Test
    void render_options_areDirectives() {
        String file = SbatchFile.render(Jobs.elastic(Map.of(
                "time", "1-00:00:00",
                "mem", "64G",
                "gpus-per-node", "a100:4",
                "constraint", "ib&ssd",
                "output", "my logs/%A_%a.out",
                "sbatch", "--exclusive;--nice=100;--mail-type=a b",
                "elastic-run", "/opt/elastic run/bin/elastic-run")));

        assertThat(file.lines())
                .contains(
                        "#SBATCH --time=1-00:00:00",
                        "#SBATCH --mem=64G",
                        "#SBATCH --gpus-per-node=a100:4",
                        "#SBATCH --constraint=\"ib&ssd\"",
                        "#SBATCH --output=\"my logs/%A_%a.out\"",
                        "#SBATCH --exclusive",
                        "#SBATCH --nice=100",
                        "#SBATCH --mail-type=\"a b\"",
                        "  '/opt/elastic run/bin/elastic-run' \\")
                .doesNotContain("#SBATCH --output=train-%A_%a.out");
    }

    @Test
    void render_flagsOfTheUser_areNotGivenTwice() {
        String file = SbatchFile.render(Jobs.elastic(
                Map.of("grace", "60", "signal", "USR1@120"),
                List.of(
                        "--nnodes=2:4",
                        Jobs.ETCD,
                        "--run-id=demo",
                        "--once",
                        "--shutdown-timeout=5s",
                        "--drain-signal=USR1")));

        assertThat(file)
                .doesNotContain("--run-id=\"$job\"", "--shutdown-timeout=60s")
                .contains("#SBATCH --comment=elastic-run,nodes=2:4,run=demo\n")
                .containsOnlyOnce("--once")
                .containsOnlyOnce("--drain-signal=USR1");
    }

    @Test
    void render_signalBeforeTheLimit_drains_andQueuesAgain() {
        String file = SbatchFile.render(Jobs.elastic(Map.of("signal", "USR2@120", "max-requeues", "7")));

        assertThat(file).contains("#SBATCH --signal=USR2@120", "  --drain-signal=USR2 \\", "-lt 7 ]");
    }

    @Test
    void render_storePartition_waitsForElement0_andServesThere() {
        String file = SbatchFile.render(Jobs.elastic(
                Map.of("partition", "spot", "store-partition", "prod", "store-port", "2400"),
                List.of("--nnodes=2:4", "--run-key-file=key")));

        assertThat(file)
                .contains(
                        "scontrol update JobId=${job}_0 Partition=prod",
                        "--jobs=\"${job}_0\" --format='%T %B'",
                        "--rdzv-backend=embedded --rdzv-endpoint=\"$address:2400\"",
                        "--first-contact-timeout=120s");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cpus-per-task=0 | cpus-per-task: 0 (expected: 1 or more)",
                "time=soon | time: soon (expected: MINUTES, HH:MM:SS or DAYS-HH:MM:SS)",
                "signal=B:USR1@60 | signal: B:USR1@60 (expected: TERM, USR1 or USR2, with @SECONDS before the limit; with B: it would reach no agent)",
                "partition=a b | partition: a b (expected: a name, or several separated by commas)",
                "store-port=70000 | store-port: 70000 (expected: 1 to 65535)",
                "sbatch=exclusive | sbatch: exclusive (expected: options that begin with --, separated by ';')",
                "sbatch=--mem=1G | sbatch: --mem=1G (expected: mem=... in its place)",
                "sbatch=--array=0-9 | sbatch: --array=0-9 (expected: none of --array, --chdir, --clusters, --comment, --job-name, --no-requeue, --nodes, --ntasks, --ntasks-per-node, --open-mode, --requeue, --test-only, --wait, --wrap)",
            })
    void render_wrongValue_isNamed(String option, String expected) {
        String[] sides = option.split("=", 2);
        assertThat(refusal(Jobs.elastic(Map.of(sides[0], sides[1])))).containsExactly(expected);
    }

    @Test
    void render_noStore_orTwo_isRefused() {
        assertThat(refusal(Jobs.elastic(Map.of(), List.of("--nnodes=2:4"))))
                .singleElement()
                .asString()
                .startsWith("--rdzv-endpoint: not given (expected: HOST:PORT of an etcd");
        assertThat(refusal(Jobs.elastic(Map.of("store-partition", "prod"))))
                .satisfiesExactly(
                        two -> assertThat(two).startsWith("store-partition: prod (expected: none with"),
                        key -> assertThat(key)
                                .startsWith("--run-key-file: not given (expected: a file that all nodes"));
    }

    @Test
    void added_namesTheJobThatElementsAreAddedTo() {
        String file = SbatchFile.render(Jobs.elastic(Map.of()));

        String added = SbatchFile.added(file, "42");

        assertThat(added).isEqualTo(file.replace("\njob=$SLURM_ARRAY_JOB_ID\n", "\njob=42\n"));
        assertThat(SbatchFile.added(added, "42")).isEqualTo(added);
        assertThat(catchThrowableOfType(SchedulerException.class, () -> SbatchFile.added("#!/bin/sh\ntrue\n", "42"))
                        .lines())
                .singleElement()
                .asString()
                .startsWith("slurm://42: its file has no line");
    }

    @Test
    void run_words_reachTheAgentAsTheyWere() throws Exception {
        List<String> odd = List.of("a b", "it's", "$HOME `id` \\ \"", "two\nlines", "", "*", "ü");
        Bash bash = new Bash(0, Map.of(), "", "");

        bash.run(Jobs.job(Map.of(), List.of("--nnodes=2:4", Jobs.ETCD, "--env=A=b c"), odd));

        assertThat(bash.calls("srun")).singleElement().satisfies(words -> {
            assertThat(words).startsWith("--ntasks=1", "--kill-on-bad-exit=1", "elastic-run", "--run-id=7", "--once");
            assertThat(words).contains("--env=A=b c");
            assertThat(words.subList(words.indexOf("--") + 1, words.size())).isEqualTo(odd);
        });
    }

    @ParameterizedTest
    @CsvSource({
        // code of the agent, SLURM_RESTART_COUNT, PreemptTime, whether it is queued again
        "143, '', 2026-01-01T00:00:00, true",
        "143, 49, 2026-01-01T00:00:00, true",
        "143, 50, 2026-01-01T00:00:00, false",
        "143, '', None, false",
        "1, '', 2026-01-01T00:00:00, false",
        "0, '', 2026-01-01T00:00:00, false",
    })
    void run_preempted_isQueuedAgain_otherEndsAreNot(int code, String restarts, String preempted, boolean again)
            throws Exception {
        Bash bash = new Bash(
                code,
                restarts.isEmpty() ? Map.of() : Map.of("SLURM_RESTART_COUNT", restarts),
                "",
                "JobId=7 PreemptEligibleTime=2026-01-01T00:00:00 PreemptTime=" + preempted + " SuspendTime=None");

        assertThat(bash.run(Jobs.elastic(Map.of()))).isEqualTo(code);

        assertThat(bash.calls("scontrol").contains(List.of("requeue", "7_2"))).isEqualTo(again);
    }

    @ParameterizedTest
    @CsvSource({
        // seconds until the time limit, whether an element that got its signal then is queued again
        "0, true",
        "170, true",
        "200, false",
    })
    void run_leavesNearTheTimeLimit_isQueuedAgain_stoppedBeforeIsNot(int left, boolean again) throws Exception {
        String end = LocalDateTime.now(ZoneId.systemDefault())
                .plusSeconds(left)
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
        Bash bash = new Bash(143, Map.of(), "", "StartTime=2026-01-01T00:00:00 EndTime=" + end + " PreemptTime=None");

        bash.run(Jobs.elastic(Map.of("signal", "TERM@120")));

        assertThat(bash.calls("scontrol").contains(List.of("requeue", "7_2"))).isEqualTo(again);
    }

    @Test
    void run_leavesWithoutATimeLimit_isNotQueuedAgain() throws Exception {
        Bash bash = new Bash(143, Map.of(), "", "StartTime=2026-01-01T00:00:00 EndTime=Unknown PreemptTime=None");

        bash.run(Jobs.elastic(Map.of("signal", "TERM@120")));

        assertThat(bash.calls("scontrol")).noneMatch(words -> words.contains("requeue"));
    }

    @Test
    void run_success_cancelsElementsThatWait_alsoThoseThatWereAdded_failureDoesNot() throws Exception {
        String waiting = """
                7 elastic-run,nodes=2:4
                12 elastic-run,nodes=2:4,of=7
                13 elastic-run,nodes=2:4,run=demo,of=70
                14 of=7
                """;
        Bash success = new Bash(0, Map.of(), waiting, "");
        success.run(Jobs.elastic(Map.of()));
        assertThat(success.calls("scancel")).containsExactly(List.of("--quiet", "--state=PENDING", "7", "12"));

        Bash failure = new Bash(1, Map.of(), waiting, "");
        failure.run(Jobs.elastic(Map.of()));
        assertThat(failure.calls("scancel")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        // state and host of element 0, whether its store is called
        "RUNNING n1, true",
        "COMPLETED n1, false",
    })
    void run_storeInElement0_isCalledWhileItRuns(String shown, boolean called) throws Exception {
        Bash bash = new Bash(0, Map.of(), shown, "NodeName=n1 NodeAddr=10.0.0.1 NodeHostName=h1");

        assertThat(bash.run(
                        Jobs.elastic(Map.of("store-partition", "prod"), List.of("--nnodes=2:4", "--run-key-file=key"))))
                .isZero();

        assertThat(bash.calls("srun").stream().anyMatch(words -> words.contains("--rdzv-endpoint=10.0.0.1:2379")))
                .isEqualTo(called);
    }

    private static List<String> refusal(JobSpec job) {
        return catchThrowableOfType(SchedulerException.class, () -> SbatchFile.render(job))
                .lines();
    }

    /** A bash that runs a file where Slurm's commands only record their words. */
    private final class Bash {
        private final int agentCode;
        private final Map<String, String> variables;
        private final String queue;
        private final String shown;
        private final Path programs;

        /**
         * @param agentCode of srun
         * @param queue output of squeue
         * @param shown output of scontrol
         */
        Bash(int agentCode, Map<String, String> variables, String queue, String shown) throws IOException {
            this.agentCode = agentCode;
            this.variables = variables;
            this.queue = queue;
            this.shown = shown;
            programs = Files.createTempDirectory(directory, "bin-");
        }

        int run(JobSpec job) throws Exception {
            program("srun", "", agentCode);
            program("squeue", queue, 0);
            program("scontrol", shown, 0);
            program("scancel", "", 0);
            Path file = Files.writeString(programs.resolve("file"), SbatchFile.render(job));
            ProcessBuilder builder = new ProcessBuilder("bash", file.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(programs.resolve("output").toFile());
            builder.environment().put("PATH", programs + ":" + System.getenv("PATH"));
            builder.environment()
                    .putAll(Map.of("SLURM_ARRAY_JOB_ID", "7", "SLURM_ARRAY_TASK_ID", "2", "SLURM_JOB_ID", "7"));
            builder.environment().remove("SLURM_RESTART_COUNT");
            builder.environment().putAll(variables);
            Process bash = builder.start();
            assertThat(bash.waitFor(20, TimeUnit.SECONDS)).isTrue();
            return bash.exitValue();
        }

        /** Words of each call, of which the scripts write a line in hexadecimal. */
        List<List<String>> calls(String program) throws IOException {
            Path calls = programs.resolve(program + ".calls");
            if (!Files.exists(calls)) {
                return List.of();
            }
            return Files.readString(calls)
                    .lines()
                    .map(line -> List.of(line.split("\\|", -1)))
                    .map(words -> words.stream()
                            .limit(words.size() - 1L)
                            .map(Bash::decoded)
                            .toList())
                    .toList();
        }

        private static String decoded(String hexadecimal) {
            byte[] bytes = new byte[hexadecimal.length() / 2];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) Integer.parseInt(hexadecimal.substring(2 * i, 2 * i + 2), 16);
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }

        private void program(String name, String output, int code) throws IOException {
            Path calls = programs.resolve(name + ".calls");
            Path script = Files.writeString(
                    programs.resolve(name),
                    "#!/bin/bash\nfor word in \"$@\"; do printf %s \"$word\" | od -An -v -tx1 | tr -d ' \\n'; printf '|'; done >>"
                            + calls + "\necho >>" + calls + "\nprintf '%s' '" + output + "'\nexit " + code + "\n");
            assertThat(script.toFile().setExecutable(true)).isTrue();
        }
    }
}
