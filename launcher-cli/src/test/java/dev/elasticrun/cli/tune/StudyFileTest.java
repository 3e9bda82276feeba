/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.tune.curve.Objective;
import dev.elasticrun.tune.rule.AshaRule;
import dev.elasticrun.tune.rule.StoppingRule;
import dev.elasticrun.tune.search.RandomSearcher;
import dev.elasticrun.tune.search.TpeSearcher;
import dev.elasticrun.tune.space.Domain;
import dev.elasticrun.tune.space.Parameter;
import dev.elasticrun.tune.study.StudyBudget;
import dev.elasticrun.tune.study.StudyConfig;
import dev.elasticrun.tune.study.StudyLimits;
import dev.elasticrun.tune.study.TrialProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StudyFileTest {
    private static final String LEAST = "study: s\nmetric: loss\nspace: {x: {uniform: [0, 1]}}\nprogram: p.jar\n";

    @TempDir
    private Path directory;

    @Test
    void everyKey() throws IOException {
        StudyFile file = read("""
                study: cancer
                metric: eval-auc
                mode: max
                trials: 40
                concurrent: 3
                search: tpe
                startup: 5
                seed: 42
                rule: {kind: asha, grace: 4, reduction: 3}
                budget: 10m
                budget-steps: 3000
                max-failures: 4
                move: false
                agents: 6
                space:
                  eta: {log-uniform: [0.01, 0.5]}
                  depth: {int: [2, 10]}
                  booster: [gbtree, dart]
                  drop: {uniform: [0, 0.5], when: {booster: dart}}
                  trees: 3
                program: trainer.jar
                arguments: [--rounds, 100, "--eta=${eta}"]
                reuse: true
                model: "models/${trial}.ubj"
                run: {nnodes: "1:2", restart-policy: soft-elastic, env: [A=1, B=2]}
                """);

        StudyConfig study = file.study();
        assertThat(file.agents()).isEqualTo(6);
        assertThat(file.model()).isEqualTo(new ModelFile("models/${trial}.ubj"));
        assertThat(study.name()).isEqualTo("cancer");
        assertThat(study.objective()).isEqualTo(new Objective("eval-auc", Objective.Mode.MAX));
        assertThat(study.limits()).isEqualTo(new StudyLimits(40, 3, 1, 2, false, 4));
        assertThat(study.rule()).isEqualTo(new AshaRule(4, 3));
        assertThat(study.searcher()).isEqualTo(new TpeSearcher(study.space(), 42, 5));
        assertThat(study.budget()).isEqualTo(new StudyBudget(Duration.ofMinutes(10), 3000));
        assertThat(study.space().parameters())
                .containsExactly(
                        Parameter.of("eta", new Domain.LogUniform(0.01, 0.5)),
                        Parameter.of("depth", new Domain.Whole(2, 10, false)),
                        Parameter.of("booster", new Domain.Choice(List.of("gbtree", "dart"))),
                        Parameter.of("drop", new Domain.Uniform(0, 0.5)).when("booster", List.of("dart")),
                        Parameter.of("trees", new Domain.Choice(List.of(3L))));
        assertThat(study.program())
                .isEqualTo(new TrialProgram(
                        "trainer.jar",
                        List.of("--rounds", "100", "--eta=${eta}"),
                        Map.of(
                                "nnodes",
                                List.of("1:2"),
                                "restart-policy",
                                List.of("soft-elastic"),
                                "env",
                                List.of("A=1", "B=2")),
                        true));
    }

    @Test
    void defaults() throws IOException {
        StudyConfig study = read(LEAST).study();

        assertThat(study.objective().mode()).isEqualTo(Objective.Mode.MIN);
        assertThat(study.limits()).isEqualTo(new StudyLimits(20, 1, 1, 1, true, 20));
        assertThat(study.rule()).isEqualTo(StoppingRule.NONE);
        assertThat(study.searcher()).isEqualTo(new RandomSearcher(study.space(), 0));
        assertThat(study.budget()).isEqualTo(StudyBudget.NONE);
    }

    @Test
    void argumentThatNamesNoParameter_isNamed() {
        assertViolations(
                LEAST + "arguments: ['${y}', '${trial}', '${x}']\n",
                "program: ${y} (expected: trial, study, or a parameter: x)");
        assertViolations(
                LEAST + "model: 'models/${z}-${trial}.ubj'\n",
                "model: ${z} (expected: trial, study, or a parameter: x)");
    }

    @Test
    void wrongValues_areNamedWithTheirLines() {
        assertViolations(
                LEAST + "trials: 0\nrule: {kind: median, graze: 3}\nmode: least\nrun: {nodes: 3}\n",
                "study.yaml:5: trials: 0 (expected: 1 or more)",
                "study.yaml:6: graze: unknown (expected: grace?)",
                "study.yaml:7: mode: least (expected: min or max)",
                "study.yaml:8: nodes: unknown (expected: ");
        assertViolations(
                LEAST.replace("uniform: [0, 1]", "log-uniform: [0, 1]"),
                "study.yaml:3: x: 0.0 (expected: above 0, as logarithms are taken)");
        assertViolations(
                LEAST.replace("uniform: [0, 1]", "int: [1, a]"), "study.yaml:3: x: a (expected: a whole number)");
        assertViolations("[]", "study.yaml:1: study: a list (expected: keys with values)");
    }

    private void assertViolations(String text, String... violations) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> read(text))
                .satisfies(e -> {
                    String all = String.join("\n", e.violations());
                    assertThat(List.of(violations))
                            .allSatisfy(violation -> assertThat(all).contains(violation));
                });
    }

    private StudyFile read(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("study.yaml"), text);
        return StudyFile.read(file.toString());
    }
}
