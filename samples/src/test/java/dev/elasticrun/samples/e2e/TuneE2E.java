/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.elasticrun.agent.schema.SchemaFile;
import dev.elasticrun.samples.testing.Command;
import dev.elasticrun.samples.testing.StudyRun;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.tune.Study;
import dev.elasticrun.tune.curve.Objective;
import dev.elasticrun.tune.rule.AshaRule;
import dev.elasticrun.tune.space.Domain;
import dev.elasticrun.tune.study.StudyListener;
import dev.elasticrun.tune.trial.TrialPhase;
import dev.elasticrun.tune.trial.TrialTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Studies: driver, agents and workers are processes of their own. */
@Tag("once")
@Timeout(180)
final class TuneE2E {
    @RegisterExtension
    final TestRun run = new TestRun();

    private StudyRun study;

    @BeforeEach
    void create() {
        study = new StudyRun(run);
    }

    @AfterEach
    void leaveNothing() {
        study.close();
    }

    @Test
    void studyWithAgentsOfItsOwn_findsTheBest_andEndsTheOthersEarly() {
        study.write(StudyRun.curve(run.id(), 6, 2, 0, "1:2"));

        assertThat(study.drive(List.of()).awaitEnd()).as(study::output).isZero();

        JsonNode results = study.results();
        SchemaFile.of("study.json").assertDescribes(results);
        assertThat(results.path("pool")).isNotEmpty();
        assertThat(study.page()).contains("Agents of the pool").doesNotContain("location.reload");
        assertThat(results.path("trials")).hasSize(6);
        assertThat(study.states()).contains("completed", "stopped").doesNotContain("failed", "running");
        assertThat(study.csv()).hasSize(7).first().isEqualTo("trial,state,step,loss,reason,x,y");
        assertThat(study.output())
                .contains("best: trial " + results.path("best").asInt() + ", loss 0.1");
    }

    @Test
    void reusedWorkers_loadOnce_andFindTheSame() {
        String boosting = """
                study: %s
                metric: eval-logloss
                trials: 4
                space:
                  eta: {log-uniform: [0.01, 0.5]}
                  max_depth: {int: [2, 8]}
                program: samples/target/elastic-samples.jar
                arguments: [xgboost-train, --data, samples/data/breast-cancer.libsvm, --hold-out, "4", --rounds, "5",
                  --model-out, "%s/model-${trial}.ubj"]
                model: "%s/model-${trial}.ubj"
                run: {runtime: xgboost, nproc-per-node: 2, restart-policy: %s}
                """;
        study.write(boosting.formatted(run.id(), run.directory(), run.directory(), "soft-replace") + "reuse: true\n");
        assertThat(study.drive(List.of()).awaitEnd()).as(study::output).isZero();
        StudyRun fresh = new StudyRun(run, "fresh");
        fresh.write(boosting.formatted(run.id() + "-fresh", run.directory(), run.directory(), "soft-replace"));
        assertThat(fresh.drive(List.of()).awaitEnd()).as(fresh::output).isZero();

        assertThat(study.results().path("trials")).isEqualTo(fresh.results().path("trials"));
        assertThat(lines(study.workerOutput(), "loaded shard")).hasSize(2);
        assertThat(lines(fresh.workerOutput(), "loaded shard")).hasSize(8);
        // Each trial has its own files all the same.
        assertThat(lines(study.workerOutput(), "trained 5 rounds")).hasSize(4);
        assertThat(study.output()).contains("model: " + run.directory() + "/model-");
    }

    private static List<String> lines(String text, String part) {
        return text.lines().filter(line -> line.contains(part)).toList();
    }

    @Test
    void study_thatRuns_isLookedAt_exported_andEndedByOthers() {
        study.write(StudyRun.curve(run.id(), 200, 2, 500, "1:1"));
        study.drive(List.of());
        study.awaitOutput("completed after step 9");

        assertThat(study.ask("status").output()).contains("running").contains("completed");
        assertThat(study.ask("best").output()).startsWith("best: trial ").contains("loss");
        assertThat(study.asked("show", "1").output()).startsWith("trial 1: ").contains("x = ", "step  loss");
        assertThat(study.asked("show", "777").output()).contains("TRIAL: 777 (expected: a trial that has begun: 1 to ");
        assertThat(study.page()).contains("Agents of the pool", "location.reload");
        Command.Result beside = study.driveBeside();
        assertThat(beside.exitCode()).isEqualTo(2);
        assertThat(beside.output()).contains("a directory in which no other process drives a study");
        assertThat(study.ask("export").exitCode()).isZero();
        assertThat(study.states()).contains("running", "completed");
        assertThat(study.ask("stop").exitCode()).isZero();

        assertThat(study.awaitEnd()).as(study::output).isZero();
        assertThat(study.results().path("trials").size()).isLessThan(200);
        assertThat(study.ask("status").exitCode()).as("nothing drives it").isEqualTo(2);
    }

    @Test
    void study_isDrivenFromJava_withTheAgentsOfAPool() throws InterruptedException {
        List<String> store = study.onEtcd();
        study.agent(store);
        Study described = Study.builder(run.id(), new Objective("loss", Objective.Mode.MIN))
                .parameter("x", new Domain.Uniform(0, 1))
                .parameter("y", new Domain.Choice(List.of(0.7)))
                .rule(new AshaRule(1, 3))
                .trials(3)
                .program("samples/target/elastic-samples.jar", List.of("trial-curve", "--steps", "9"))
                .setting("restart-policy", "soft-elastic")
                .build();

        TrialTable trials = described.run(run.id(), study.access(store), StudyListener.NONE);

        assertThat(trials.begun()).isEqualTo(3);
        assertThat(trials.count(TrialPhase.COMPLETED)).isPositive();
        assertThat(trials.best().orElseThrow().parameters()).containsEntry("y", 0.7);
    }

    @Test
    void etcdWithoutAKey_isEnoughForALook_whichWritesNothing_andAGivenKeyStays() throws IOException {
        List<String> store = study.onEtcd();
        study.write(StudyRun.curve(run.id(), 2, 1, 0, "1:1"));
        study.agent(store);
        Path key = Files.copy(Path.of(store.get(3)), study.output("run.key"));
        assertThat(study.drive(study.pooled(List.of(store.get(0), store.get(1), store.get(2), key.toString())))
                        .awaitEnd())
                .as(study::output)
                .isZero();
        assertThat(key).exists();

        StudyRun elsewhere = new StudyRun(run, "elsewhere");
        elsewhere.write(StudyRun.curve(run.id(), 2, 1, 0, "1:1"));
        Command.Result best = elsewhere.ask("best", store.get(0), store.get(1));
        assertThat(best.exitCode()).as(best::output).isZero();
        assertThat(best.output()).startsWith("best: trial ");
        assertThat(run.directory().resolve("elsewhere/out")).doesNotExist();
    }

    @Test
    void budget_usedUp_beginsNoTrial() {
        study.write(StudyRun.curve(run.id(), 20, 1, 0, "1:1").replace("seed: 5", "seed: 5\nbudget-steps: 10"));

        assertThat(study.drive(List.of()).awaitEnd()).as(study::output).isZero();

        assertThat(study.results().path("trials").size()).isBetween(2, 3);
    }

    @Test
    void xgboost_needsNoLine_andIsTunedByItsEvaluation() {
        study.write("""
                study: %s
                metric: eval-logloss
                trials: 4
                concurrent: 1
                rule: {kind: asha, grace: 2, reduction: 2}
                space:
                  eta: {log-uniform: [0.01, 0.5]}
                  max_depth: {int: [2, 8]}
                program: samples/target/elastic-samples.jar
                arguments: [xgboost-train, --data, samples/data/breast-cancer.libsvm, --hold-out, "4", --rounds, "7",
                  --model-out, "%s/model-${trial}.ubj"]
                run: {runtime: xgboost, nproc-per-node: 2}
                """.formatted(run.id(), run.directory()));

        assertThat(study.drive(List.of()).awaitEnd()).as(study::output).isZero();

        assertThat(study.states()).hasSize(4).contains("stopped", "completed").doesNotContain("failed");
        for (JsonNode trial : study.results().path("trials")) {
            int steps = trial.path("steps").size();
            assertThat(trial.path("state").asText().equals("completed") ? steps : -steps)
                    .isIn(7, -2, -4);
            assertThat(run.directory().resolve("model-" + trial.path("trial").asInt() + ".ubj"))
                    .isNotEmptyFile();
        }
    }

    @Test
    void trialThatFails_isReported_andTheStudyGoesOn() {
        study.write("""
                study: %s
                metric: loss
                trials: 2
                search: grid
                space:
                  millis: [bad, "0"]
                program: samples/target/elastic-samples.jar
                arguments: [trial-curve, --steps, "2", --step-millis, "${millis}"]
                """.formatted(run.id()));

        assertThat(study.drive(List.of()).awaitEnd()).as(study::output).isZero();

        assertThat(study.states()).containsExactly("failed", "completed");
        assertThat(study.results().path("trials").path(0).path("reason").asText())
                .contains("--step-millis: bad");
    }

    @Test
    void failuresUpToTheLimitOfTheFlag_endTheStudy_andMoreCanBeAllowed() {
        study.write("""
                study: %s
                metric: loss
                trials: 4
                search: grid
                space:
                  millis: [bad, worse, "0"]
                program: samples/target/elastic-samples.jar
                arguments: [trial-curve, --steps, "2", --step-millis, "${millis}"]
                run: {max-restarts: 0}
                """.formatted(run.id()));
        List<String> store = study.onEtcd();
        study.agent(store);
        List<String> limited = new ArrayList<>(study.pooled(store));
        limited.addAll(List.of("--max-failures", "1"));

        assertThat(study.drive(limited).awaitEnd()).as(study::output).isOne();
        assertThat(study.states()).containsExactly("failed");
        limited.set(limited.size() - 1, "none");
        assertThat(study.drive(limited).awaitEnd()).isEqualTo(2);
        assertThat(study.output()).contains("--max-failures: none (expected: a whole number, 1 or more)");
        limited.set(limited.size() - 1, "3");
        assertThat(study.drive(limited).awaitEnd()).as(study::output).isZero();

        assertThat(study.states()).containsExactly("failed", "failed", "completed");
    }

    @Test
    void metricThatIsNeverReported_isNamed() {
        study.write(StudyRun.curve(run.id(), 1, 1, 0, "1:1").replace("metric: loss", "metric: accuracy"));

        assertThat(study.drive(List.of()).awaitEnd()).as(study::output).isOne();

        assertThat(study.output()).contains("metric accuracy was never reported (reported: loss)");
    }

    @Test
    void badFile_isNamedWithItsLines_andNothingStarts() {
        study.write("""
                study: a study
                metrik: loss
                trials: none
                rule: {kind: ashaa}
                space:
                  x: {uniform: [1, 0]}
                  y: {unifrom: [0, 1]}
                program: samples/target/elastic-samples.jar
                run: {nnodes: many}
                """);

        assertThat(study.drive(List.of()).awaitEnd()).isEqualTo(2);

        assertThat(study.output())
                .contains("study.yaml:1: metric: missing (expected: the name of a metric that trials report)")
                .contains("study.yaml:2: metrik: unknown (expected: metric?)")
                .contains("study.yaml:3: trials: none (expected: a whole number, 1 or more)")
                .contains("study.yaml:4: kind: ashaa (expected: none, early-stopping, median, asha or hyperband)")
                .contains("study.yaml:6: x: [1.0, 0.0] (expected: two finite numbers, the lower one first)")
                .contains("study.yaml:7: y: no domain (expected: uniform, log-uniform, int, log-int or choice)")
                .contains("study.yaml:9: nnodes: many (expected: N or MIN:MAX with 1 <= MIN <= MAX)");
        assertThat(study.output()).doesNotContain("in the pool");
    }

    @Test
    void agentWithAnotherKey_getsNoTrial() {
        study.write(StudyRun.curve(run.id(), 1, 1, 0, "1:1"));
        List<String> store = study.onEtcd();
        study.agent(study.withOtherKey(store));

        study.drive(study.pooled(store));
        study.awaitOutput("gets no trial: it has another key");
        study.agent(store);

        assertThat(study.awaitEnd()).as(study::output).isZero();
        assertThat(study.states()).containsExactly("completed");
    }
}
