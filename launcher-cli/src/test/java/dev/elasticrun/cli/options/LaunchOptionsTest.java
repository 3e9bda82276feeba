/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.RestartOptions;
import dev.elasticrun.rendezvous.terms.RestartBudget;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class LaunchOptionsTest {
    private static final String PROGRAM = "/bin/true";

    @TempDir
    private Path logs;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--nnodes 3:2              | --nnodes: 3:2 (expected: N or MIN:MAX with 1 <= MIN <= MAX)",
                "--nnodes=0                | --nnodes: 0 (expected: N or MIN:MAX with 1 <= MIN <= MAX)",
                "--nnodes x                | --nnodes: x (expected: N or MIN:MAX with 1 <= MIN <= MAX)",
                "--nproc-per-node 0        | --nproc-per-node: 0 (expected: 1 to 1024, auto, cpu or gpu)",
                "--nproc_per_node gpu      | --nproc-per-node: gpu (expected: a number, auto or cpu: no NVIDIA GPU can be used here)",
                "--max-restarts -1         | --max-restarts: -1 (expected: N >= 0, or N/TIME with 1 <= N <= 1000 and TIME >= 1s, such as 3/1h)",
                "--max-restarts many       | --max-restarts: many (expected: N >= 0, or N/TIME with 1 <= N <= 1000 and TIME >= 1s, such as 3/1h)",
                "--restart-policy sofd     | --restart-policy: sofd (expected: soft or one of hard, soft-elastic, soft-no-replace, soft-replace)",
                "--restart-policy hard:a=1 | --restart-policy: hard:a=1 (expected: hard without an option)",
                "--restart-policy hard:    | --restart-policy: hard: (expected: an option after the colon, or hard)",
                "--lease-ttl 1s            | --lease-ttl: 1s (expected: at least 2s)",
                "--heartbeat-interval 2s   | --heartbeat-interval: 2s (expected: at most 1s, a third of --lease-ttl 3s)",
                "--peer-timeout 3s         | --peer-timeout: 3s (expected: more than --lease-ttl 3s, after which a silent node is out anyway)",
                "--join-timeout soon       | --join-timeout: soon (expected: a time such as 500ms, 5s, 2m or 1h; a plain number is seconds)",
                "--nnodes 2                | --run-id: not given (expected: a name that all nodes use, since --nnodes allows several)",
                "--rdzv-backend c10       | --rdzv-backend: c10 (expected: one of auto, embedded, etcd)",
                "--node_rank -1           | --node-rank: -1 (expected: 0 or more)",
                "--no-python --module     | --no-python: with --module (expected: one of the two)",
                "--rdzv-endpoint a:b       | --rdzv-endpoint: 'a:b' (expected: HOST:PORT, several separated by commas)",
                "--rdzv-backend etcd       | --rdzv-backend: etcd (expected: an --rdzv-endpoint with it, and no --standalone)",
                "--run-id a/b              | --run-id: 'a/b' (expected: letters, digits, '.', '_' and '-', at most 128)",
                "--env A                   | --env: A (expected: NAME=VALUE)",
                "--nods 3                  | --nods: unknown flag (expected: a flag that --help lists; the nearest is --nnodes)",
                "--max_restart 3           | --max_restart: unknown flag (expected: a flag that --help lists; the nearest is --max-restarts)",
                "--quite-another           | --quite-another: unknown flag (expected: a flag that --help lists)",
                "--nnodes                  | --nnodes: /bin/true (expected: N or MIN:MAX with 1 <= MIN <= MAX)",
            })
    void parse_invalid_namesValueAndExpectation(String flags, String expected) {
        assertThat(violations(flags.strip() + " " + PROGRAM)).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--nproc-per-node 3 --run-id demo --max-restarts 7",
                "--nproc_per_node=3 --run_id demo --max_restarts=7"
            })
    void examined_flagsOfTheHelpTextAndOthers_inEitherSpelling(String flags) {
        CommandLine model = CommandModel.examination(
                "look", "look [OPTIONS]", "Looks.", List.of(Settings.RUN_ID, Settings.NPROC_PER_NODE));

        LaunchConfig config = LaunchOptions.examined(model.parseArgs(flags.split(" ")), Map.of(), List.of());

        assertThat(config.size().nprocPerNode()).isEqualTo(3);
        assertThat(config.store().runId()).contains("demo");
        assertThat(config.restarts().maxRestarts()).isEqualTo(7);
        assertThat(model.getUsageMessage()).contains("--run-id").doesNotContain("--run_id", "--max-restarts");
    }

    @Test
    void parse_severalViolations_namesThemAll() {
        assertThat(violations("--nnodes 0 --max-restarts -1 --lease-ttl 1s no-such.jar"))
                .containsExactlyInAnyOrder(
                        "--nnodes: 0 (expected: N or MIN:MAX with 1 <= MIN <= MAX)",
                        "--max-restarts: -1 (expected: N >= 0, or N/TIME with 1 <= N <= 1000 and TIME >= 1s, such as 3/1h)",
                        "--lease-ttl: 1s (expected: at least 2s)",
                        "PROGRAM: no-such.jar (expected: a jar that exists)");
    }

    @Test
    void parse_noProgram_reportsIt() {
        assertThat(violations("--standalone"))
                .containsExactly("PROGRAM: missing (expected: a jar, a Python script or an executable)");
    }

    @Test
    void parse_flagWithoutItsValue_reportsIt() {
        assertThat(violations("--nnodes")).containsExactly("--nnodes: no value (expected: a value after it)");
    }

    @Test
    void parse_afterProgram_allIsForTheProgram() {
        LaunchConfig config = parse("--nproc-per-node 2 /bin/echo --nnodes 9 -- -h --help @file --nproc_per_node");
        assertThat(config.program()).isEqualTo("/bin/echo");
        assertThat(config.arguments())
                .containsExactly("--nnodes", "9", "--", "-h", "--help", "@file", "--nproc_per_node");
        assertThat(config.size().nprocPerNode()).isEqualTo(2);
    }

    @Test
    void parse_twoDashes_endTheFlags() {
        LaunchConfig config = parse("--nproc-per-node=2 -- /bin/echo --verbose -- x");
        assertThat(config.program()).isEqualTo("/bin/echo");
        assertThat(config.arguments()).containsExactly("--verbose", "--", "x");
    }

    @Test
    void parse_twice_lastWins() {
        assertThat(parse("--max-restarts 1 --max_restarts 7 " + PROGRAM)
                        .restarts()
                        .maxRestarts())
                .isEqualTo(7);
    }

    @Test
    void parse_restartsWithinATime_areAWindow() {
        RestartOptions restarts =
                parse("--max-restarts 3/1h --restart-refund 10m " + PROGRAM).restarts();

        assertThat(restarts.budget()).isEqualTo(new RestartBudget(3, Duration.ofHours(1), Duration.ofMinutes(10)));
    }

    @Test
    void parse_valueWithDashes_isAValue() {
        assertThat(parse("--java-opts -Xmx1g " + PROGRAM).workers().javaOpts()).containsExactly("-Xmx1g");
    }

    @Test
    void parse_otherName_isTheSameFlag() {
        assertThat(parse("--rdzv_id r1 " + PROGRAM).store().runId()).contains("r1");
    }

    @Test
    void parse_helpAfterOtherFlags_isThePage() {
        LaunchOptions.Parsed parsed = LaunchOptions.parse(List.of("--nnodes", "x", "--help"), Map.of());
        assertThat(parsed.page()).contains(HelpPage.RUN);
    }

    @Test
    void environment_isTheDefaultOfAFlag() {
        Map<String, String> environment = Map.of("ELASTICRUN_MAX_RESTARTS", "9", "PET_NPROC_PER_NODE", "3");
        LaunchConfig config = parse(PROGRAM, environment);
        assertThat(config.restarts().maxRestarts()).isEqualTo(9);
        assertThat(config.size().nprocPerNode()).isEqualTo(3);
        assertThat(parse("--max-restarts 1 " + PROGRAM, environment).restarts().maxRestarts())
                .isEqualTo(1);
    }

    @Test
    void environment_oursBeforeTorchruns() {
        Map<String, String> environment = Map.of("ELASTICRUN_RUN_ID", "ours", "PET_RDZV_ID", "theirs");
        assertThat(parse(PROGRAM, environment).store().runId()).contains("ours");
        assertThat(parse(PROGRAM, Map.of("ELASTICRUN_RDZV_ID", "other")).store().runId())
                .contains("other");
        assertThat(parse(PROGRAM, Map.of("PET_RDZV_ID", "theirs")).store().runId())
                .contains("theirs");
    }

    @Test
    void environment_flagWithoutValue_isYesOrNo() {
        assertThat(parse(PROGRAM, Map.of("PET_STANDALONE", "1")).store().standalone())
                .isTrue();
        assertThat(parse(PROGRAM, Map.of("ELASTICRUN_STANDALONE", "false"))
                        .store()
                        .standalone())
                .isFalse();
    }

    @Test
    void environment_invalid_namesTheVariable() {
        assertThatThrownBy(() -> parse(PROGRAM, Map.of("PET_NNODES", "x")))
                .hasMessageContaining("PET_NNODES: x (expected: N or MIN:MAX");
    }

    @Test
    void environment_ofFlagsThatTorchrunHasNot_isNotRead() {
        assertThat(parse(PROGRAM, Map.of("PET_LEASE_TTL", "9s"))
                        .times()
                        .lease()
                        .ttl()
                        .toSeconds())
                .isEqualTo(3);
    }

    private LaunchConfig parse(String line) {
        return parse(line, Map.of());
    }

    private LaunchConfig parse(String line, Map<String, String> environment) {
        return LaunchOptions.parse(arguments(line), environment).config().orElseThrow();
    }

    private List<String> violations(String line) {
        UsageException refused =
                catchThrowableOfType(UsageException.class, () -> LaunchOptions.parse(arguments(line), Map.of()));
        return refused.violations();
    }

    private List<String> arguments(String line) {
        List<String> arguments = new ArrayList<>(List.of("--log-dir", logs.toString()));
        arguments.addAll(Arrays.asList(line.split(" +")));
        return arguments;
    }
}
