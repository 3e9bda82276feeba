/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.elasticrun.agent.launch.LaunchConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code --config FILE}: a stranger's file, good or bad. */
final class ConfigFileTest {
    private static final String PROGRAM = "/bin/true";
    private static final String KEYS = "a flag that --help lists, without its dashes, or program or arguments";

    @TempDir
    private Path directory;

    @Test
    void yaml_wholeLaunch() throws IOException {
        LaunchConfig config = parse("run.yaml", """
                # A whole launch.
                program: /bin/echo
                arguments: [--steps, 100, "a b"]
                nnodes: 2:4
                nproc_per_node: 3
                rdzv-id: r1
                rdzv-endpoint:
                  - a:1
                  - b
                java-opts: [-Xmx1g, "-Da=b c"]
                env:
                  A: 1
                  B: "x=y"
                standalone: false
                no-console: true
                duplicate-stdout-filters: ["a,b", c]
                class-path: [x.jar, y.jar]
                lease-ttl: 5
                no-retry-exit-codes: [2, 64]
                """);
        assertThat(config.program()).isEqualTo("/bin/echo");
        assertThat(config.arguments()).containsExactly("--steps", "100", "a b");
        assertThat(config.size().minNodes()).isEqualTo(2);
        assertThat(config.size().maxNodes()).isEqualTo(4);
        assertThat(config.size().nprocPerNode()).isEqualTo(3);
        assertThat(config.store().runId()).contains("r1");
        assertThat(config.store().endpoints()).containsExactly("a:1", "b:2379");
        assertThat(config.workers().javaOpts()).containsExactly("-Xmx1g", "-Da=b c");
        assertThat(config.workers().environment()).isEqualTo(Map.of("A", "1", "B", "x=y"));
        assertThat(config.workers().classPath()).contains("x.jar:y.jar");
        assertThat(config.console().shown()).isFalse();
        assertThat(config.logs().stdoutFilters()).containsExactly("a,b", "c");
        assertThat(config.times().lease().ttl()).hasSeconds(5);
        assertThat(config.restarts().noRetryExitCodes()).containsExactly(2, 64);
    }

    @Test
    void json_byNameAndByContent() throws IOException {
        String json = "{\n\t\"max-restarts\": 7,\n\t\"env\": [\"A=b\"], \"rdzv_id\": \"r1\"\n}\n";
        for (String name : List.of("run.json", "run.conf")) {
            LaunchConfig config = parse(name, json, PROGRAM);
            assertThat(config.restarts().maxRestarts()).isEqualTo(7);
            assertThat(config.workers().environment()).isEqualTo(Map.of("A", "b"));
        }
    }

    @Test
    void alias_isWhatItsAnchorHolds() throws IOException {
        LaunchConfig config = parse("run.yaml", "lease-ttl: &time 4s\nscale-up-delay: *time\n", PROGRAM);
        assertThat(config.times().rounds().scaleUpDelay()).hasSeconds(4);
    }

    @Test
    void emptyFile_reportsNothing() throws IOException {
        assertThat(parse("run.yaml", "\uFEFF# nothing yet\n", PROGRAM).size().nprocPerNode())
                .isEqualTo(1);
        assertThat(parse("run.json", "{}", PROGRAM).size().nprocPerNode()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            value = {
                "nods: 2              => 1: nods: unknown key (expected: KEYS; the nearest is nnodes)",
                "quite-another: 2     => 1: quite-another: unknown key (expected: KEYS)",
                "arguements: [a]      => 1: arguements: unknown key (expected: KEYS; the nearest is arguments)",
                "verbose: true        => 1: verbose: in a file (expected: --verbose on the command line)",
                "config: other.yaml   => 1: config: in a file (expected: --config on the command line)",
                "nnodes: x            => 1: nnodes: x (expected: N or MIN:MAX with 1 <= MIN <= MAX)",
                "max_restarts: -1     => 1: max_restarts: -1 (expected: N >= 0, or N/TIME with 1 <= N <= 1000 and TIME >= 1s, such as 3/1h)",
                "max_restarts: 3/     => 1: max_restarts: 3/ (expected: N >= 0, or N/TIME with 1 <= N <= 1000 and TIME >= 1s, such as 3/1h)",
                "max_restarts: 0/1h   => 1: max_restarts: 0/1h (expected: N >= 0, or N/TIME with 1 <= N <= 1000 and TIME >= 1s, such as 3/1h)",
                "max_restarts: 3/abc  => 1: max_restarts: 3/abc (expected: N >= 0, or N/TIME with 1 <= N <= 1000 and TIME >= 1s, such as 3/1h)",
                "max_restarts: 3/0    => 1: max_restarts: 3/0 (expected: N >= 0, or N/TIME with 1 <= N <= 1000 and TIME >= 1s, such as 3/1h)",
                "max_restarts: -1/1h  => 1: max_restarts: -1/1h (expected: N >= 0, or N/TIME with 1 <= N <= 1000 and TIME >= 1s, such as 3/1h)",
                "max_restarts: 1001/1h => 1: max_restarts: 1001/1h (expected: N >= 0, or N/TIME with 1 <= N <= 1000 and TIME >= 1s, such as 3/1h)",
                "restart-policy: hard:a=1 => 1: restart-policy: hard:a=1 (expected: hard without an option)",
                "nnodes: [1, 2]       => 1: nnodes: a list (expected: one value)",
                "nnodes:              => 1: nnodes: nothing (expected: N|MIN:MAX)",
                "nnodes: {min: 1}     => 1: nnodes: keys (expected: N|MIN:MAX)",
                "standalone: maybe    => 1: standalone: maybe (expected: 1, true or yes, or 0, false or no)",
                "standalone: [true]   => 1: standalone: a list (expected: one value)",
                "env: []              => 1: env: an empty list (expected: NAME=VALUE)",
                "env: [A=b, C]        => 1: env: C (expected: NAME=VALUE)",
                "env: [{A: b}]        => 1: env: a list (expected: a text in place of keys)",
                "env: {A: [b]}        => 1: env: keys (expected: a text in place of a list)",
                "lease-ttl: 1s        => 1: lease-ttl: 1s (expected: at least 2s)",
                "local-ranks-filter: a=> 1: local-ranks-filter: a (expected: local ranks separated by commas, such as 0,2)",
                "- nnodes             => 1: no keys (expected: names of flags, each with its value)",
                "just a text          => 1: no keys (expected: names of flags, each with its value)",
                "nnodes: 2: 4         => 1: mapping values are not allowed here (expected: YAML)",
                "nnodes: *some        => 1: found undefined alias some (expected: YAML)",
            })
    void yaml_wrong_namesFileLineNameAndExpectation(String text, String expected) throws IOException {
        assertThat(violations("run.yaml", text + "\n", PROGRAM))
                .containsExactly(file("run.yaml") + ":" + expected.replace("KEYS", KEYS));
    }

    @Test
    void severalWrong_areNamedTogether_withTheirLines() throws IOException {
        String text =
                "nnodes: 0\n\nnods: 3\nmax-restarts: -1\nprogram: no-such.jar\nnnodes: 1\nrdzv-id: a\nrun_id: b\n";
        String file = file("run.yaml");
        assertThat(violations("run.yaml", text, "--lease-ttl=1s"))
                .containsExactlyInAnyOrder(
                        file + ":3: nods: unknown key (expected: " + KEYS + "; the nearest is nnodes)",
                        file + ":6: nnodes: given again (expected: once; nnodes is in line 1)",
                        file + ":8: run_id: given again (expected: once; rdzv-id is in line 7)",
                        file + ":1: nnodes: 0 (expected: N or MIN:MAX with 1 <= MIN <= MAX)",
                        file
                                + ":4: max-restarts: -1 (expected: N >= 0, or N/TIME with 1 <= N <= 1000 and TIME >= 1s, such as 3/1h)",
                        "--lease-ttl: 1s (expected: at least 2s)",
                        file + ":5: program: no-such.jar (expected: a jar that exists)");
    }

    @Test
    void json_wrong_namesTheLine() throws IOException {
        assertThat(violations("run.json", "{\n  \"nnodes\": 2,\n}\n", PROGRAM))
                .singleElement()
                .asString()
                .startsWith(file("run.json") + ":3: ")
                .endsWith("(expected: JSON)");
        assertThat(violations("run.json", "{\n  \"a\": 2,\n \"nnodes\": 1, \"nnodes\": 2}\n", PROGRAM))
                .containsExactly(
                        file("run.json") + ":2: a: unknown key (expected: " + KEYS + ")",
                        file("run.json") + ":3: nnodes: given again (expected: once; nnodes is in line 3)");
        assertThat(violations("run.json", "{} {}", PROGRAM))
                .containsExactly(file("run.json") + ":1: more after the end of the object (expected: JSON)");
    }

    @Test
    void programAndArguments_ofTheWrongShape() throws IOException {
        assertThat(violations("run.yaml", "program: [a]\n"))
                .contains(file("run.yaml") + ":1: program: a list (expected: a text in place of a list)");
        assertThat(violations("run.yaml", "program: /bin/true\narguments: --steps 5\n"))
                .contains(file("run.yaml") + ":2: arguments: --steps 5 (expected: a list of texts)");
    }

    @Test
    void nodeThatHoldsItself_isRefused() throws IOException {
        assertThat(violations("run.yaml", "env: &all\n  - *all\n", PROGRAM))
                .singleElement()
                .asString()
                .contains(":1: env: ");
    }

    @Test
    void fileThatCannotBeRead_isNamed_withWhoNamedIt() throws IOException {
        assertThat(refused(List.of("--config", "/no/such", PROGRAM), Map.of()))
                .singleElement()
                .asString()
                .startsWith("--config: /no/such (expected: a YAML or JSON file of at most 1 MiB that can be read; ")
                .contains("NoSuchFile");
        assertThat(refused(List.of(PROGRAM), Map.of("ELASTICRUN_CONFIG", directory.toString())))
                .singleElement()
                .asString()
                .startsWith("ELASTICRUN_CONFIG: " + directory + " (expected: a YAML or JSON file");
        Path large = Files.write(directory.resolve("large"), new byte[(1 << 20) + 1]);
        assertThat(refused(List.of("--config=" + large, PROGRAM), Map.of()))
                .singleElement()
                .asString()
                .endsWith("; it is larger)");
        Path latin = Files.write(directory.resolve("latin"), "role: \u00fc".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(refused(List.of("--config=" + latin, PROGRAM), Map.of()))
                .singleElement()
                .asString()
                .endsWith("; it is not UTF-8)");
    }

    @Test
    void flagBeforeVariableBeforeFileBeforeDefault() throws IOException {
        String file = write("run.yaml", "max-restarts: 5\nnproc-per-node: 5\nlog-max-files: 5\nprogram: /bin/false\n");
        Map<String, String> environment =
                Map.of("ELASTICRUN_CONFIG", file, "ELASTICRUN_MAX_RESTARTS", "6", "PET_NPROC_PER_NODE", "6");
        LaunchConfig config = LaunchOptions.parse(List.of("--max-restarts", "7", PROGRAM, "x"), environment)
                .config()
                .orElseThrow();
        assertThat(config.restarts().maxRestarts()).isEqualTo(7);
        assertThat(config.size().nprocPerNode()).isEqualTo(6);
        assertThat(config.logs().maxFiles()).isEqualTo(5);
        assertThat(config.checkpoints().every()).isEqualTo(1);
        assertThat(config.program()).isEqualTo(PROGRAM);
        assertThat(config.arguments()).containsExactly("x");
    }

    @Test
    void checkOfAVariablesValue_namesTheVariable() {
        assertThat(refused(List.of(PROGRAM), Map.of("PET_MAX_RESTARTS", "-1")))
                .containsExactly(
                        "PET_MAX_RESTARTS: -1 (expected: N >= 0, or N/TIME with 1 <= N <= 1000 and TIME >= 1s, such as 3/1h)");
    }

    @Test
    void optionOfAPolicyThatTakesNone_namesTheVariable() {
        assertThat(refused(List.of(PROGRAM), Map.of("ELASTICRUN_RESTART_POLICY", "soft:a=1")))
                .containsExactly("ELASTICRUN_RESTART_POLICY: soft:a=1 (expected: soft-no-replace without an option)");
    }

    private LaunchConfig parse(String name, String text, String... arguments) throws IOException {
        return LaunchOptions.parse(arguments(name, text, arguments), Map.of())
                .config()
                .orElseThrow();
    }

    private List<String> violations(String name, String text, String... arguments) throws IOException {
        return refused(arguments(name, text, arguments), Map.of());
    }

    private static List<String> refused(List<String> arguments, Map<String, String> environment) {
        return catchThrowableOfType(UsageException.class, () -> LaunchOptions.parse(arguments, environment))
                .violations();
    }

    private List<String> arguments(String name, String text, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("--config", write(name, text), "--log-dir", directory.toString()));
        all.addAll(List.of(arguments));
        return all;
    }

    private String write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    private String file(String name) {
        return directory.resolve(name).toString();
    }
}
