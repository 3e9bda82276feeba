/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.elasticrun.worker.contract.TrialFiles;
import dev.elasticrun.worker.contract.WorkerEnv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class TrialTest {
    @TempDir
    private Path directory;

    private final AtomicInteger rank = new AtomicInteger();

    @Test
    void withoutAStudy_nothingIsReported_andItGoesOn() {
        Trial trial = new Trial(Map.of(), rank::get);

        assertThat(trial.isPartOfStudy()).isFalse();
        assertThat(trial.config()).isEmpty();
        assertThat(trial.report(3, "loss", 0.5)).isEqualTo(Trial.Decision.GO_ON);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void reuse_whereNoOtherTrialFollows_loadsEachTime() throws Exception {
        assertThat(Trial.reuse("rows", 1, () -> new StringBuilder("a")))
                .isNotSameAs(Trial.reuse("rows", 1, () -> new StringBuilder("a")));
    }

    @Test
    void config_hasTheTypesOfJson() {
        assertThat(trial().config()).isEqualTo(Map.of("eta", 0.1, "depth", 6L, "booster", "dart", "exact", true));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Trial(Map.of(WorkerEnv.TRIAL_CONFIG, "{\"eta\":[1]}"), rank::get))
                .withMessage("eta: [1] (expected: a text, a number, true or false)");
    }

    @Test
    void steps_beforeTheOneThatIsJudged_returnAtOnce_andAreReported() throws IOException {
        control(3, false);
        Trial trial = trial();

        trial.record(1, Map.of("loss", 0.5, "auc", Double.NaN));
        assertThat(trial.report(2, "loss", 0.25)).isEqualTo(Trial.Decision.GO_ON);

        assertThat(reports())
                .containsExactly(
                        new TrialFiles.Report(1, Map.of("loss", 0.5, "auc", Double.NaN)),
                        new TrialFiles.Report(2, Map.of("loss", 0.25)));
    }

    @Test
    void stepThatIsJudged_waitsForItsDecision() throws Exception {
        Trial trial = trial();
        CompletableFuture<Trial.Decision> first = CompletableFuture.supplyAsync(() -> trial.report(3, "loss", 0.5));
        assertThat(first).isNotCompleted();
        control(3, false);
        control(9, false);
        assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo(Trial.Decision.GO_ON);

        CompletableFuture<Trial.Decision> second = CompletableFuture.supplyAsync(() -> trial.report(9, "loss", 0.5));
        assertThat(second).isNotCompleted();
        control(9, true);
        assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo(Trial.Decision.STOP);
        assertThat(trial.report(9, "loss", 0.5)).as("asked again").isEqualTo(Trial.Decision.STOP);
        assertThat(trial.report(8, "loss", 0.5)).as("an earlier step").isEqualTo(Trial.Decision.GO_ON);
    }

    @Test
    void workerThatBecomesRankZero_whileAllWait_reports() throws Exception {
        rank.set(1);
        control(3, false);
        CompletableFuture<Trial.Decision> asked = CompletableFuture.supplyAsync(() -> trial().report(3, "loss", 0.5));
        assertThat(asked).isNotCompleted();
        assertThat(directory.resolve("reports")).doesNotExist();

        rank.set(0);
        while (!Files.exists(directory.resolve("reports"))) {
            Thread.onSpinWait();
        }
        control(9, false);

        assertThat(asked.get(10, TimeUnit.SECONDS)).isEqualTo(Trial.Decision.GO_ON);
        assertThat(reports()).containsExactly(new TrialFiles.Report(3, Map.of("loss", 0.5)));
    }

    private Trial trial() {
        return new Trial(
                Map.of(
                        WorkerEnv.TRIAL_DIR,
                        directory.toString(),
                        WorkerEnv.TRIAL_CONFIG,
                        "{\"eta\":0.1,\"depth\":6,\"booster\":\"dart\",\"exact\":true}"),
                rank::get);
    }

    private void control(long until, boolean stop) throws IOException {
        Path made = Files.write(directory.resolve("new"), new TrialFiles.Control(until, stop).bytes());
        Files.move(made, directory.resolve("control"), StandardCopyOption.ATOMIC_MOVE);
    }

    private List<TrialFiles.Report> reports() throws IOException {
        return Files.readAllLines(directory.resolve("reports")).stream()
                .map(TrialFiles.Report::parse)
                .toList();
    }
}
