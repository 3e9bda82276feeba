/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.samples.testing.StudyRun;
import dev.elasticrun.samples.testing.TestRun;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Studies that lose their driver, their store or their agents, again and again. */
@Tag("slow")
@Timeout(180)
final class TuneLossesE2E {
    private static final int TRIALS = 8;

    private static List<JsonNode> calm = List.of();

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
    void driver_killedTenTimes_continuesWithTheSameTable() {
        study.write(StudyRun.curve(run.id(), TRIALS, 1, 100, "1:1"));
        List<String> store = study.onEtcd();
        study.agent(store);
        List<String> pooled = study.pooled(store);
        SplittableRandom random = new SplittableRandom(11);

        for (int kill = 0; kill < 10; kill++) {
            study.drive(pooled).killAfter(random.nextInt(200, 2500));
        }
        assertThat(study.drive(pooled).awaitEnd()).as(study::output).isZero();

        assertTableOfACalmStudy(TRIALS);
        assertThat(study.begun()).isNotEmpty().doesNotHaveDuplicates();
    }

    @Test
    void store_restartedAgainAndAgain_studyHasTheSameTable() throws IOException {
        study.write(StudyRun.curve(run.id(), 6, 1, 100, "1:1"));
        try (EtcdProcess etcd = EtcdProcess.start(Files.createTempDirectory("tune-etcd-"))) {
            List<String> store = study.on(etcd);
            study.agent(store);
            study.drive(study.pooled(store));

            for (int outage = 0; outage < 3; outage++) {
                study.awaitOutput("trial " + (outage + 1) + "/6 begins");
                etcd.kill();
                study.pass(1000);
                etcd.restart();
            }

            assertThat(study.awaitEnd()).as(study::output).isZero();
            study.close();
        }
        assertTableOfACalmStudy(6);
        assertThat(study.begun()).hasSize(6).doesNotHaveDuplicates();
    }

    @Test
    void agents_killedAgainAndAgain_loseNoTrial() {
        study.write(StudyRun.curve(run.id(), 6, 2, 40, "1:2"));
        List<String> store = study.onEtcd();
        for (int i = 0; i < 3; i++) {
            study.agent(store);
        }
        study.drive(study.pooled(store));

        // On a busy machine an agent can take longer to start than it lives here: then no trial ends.
        for (int kill = 0; kill < 10 && study.isDriven(); kill++) {
            study.pass(2000);
            study.killAgent();
            study.agent(store);
        }

        assertThat(study.awaitEnd()).as(study::output).isZero();
        assertThat(study.states()).hasSize(6).doesNotContain("failed", "running");
    }

    /** With one trial at a time, what is decided of a trial depends on those before it only. */
    private void assertTableOfACalmStudy(int trials) {
        if (calm.isEmpty()) {
            calm = calmTable();
        }
        assertThat(study.results().path("trials"))
                .as("the first trials of a study that loses nothing")
                .containsExactlyElementsOf(calm.subList(0, trials));
    }

    private List<JsonNode> calmTable() {
        StudyRun undisturbed = new StudyRun(run, "calm");
        undisturbed.write(StudyRun.curve(run.id() + "-calm", TRIALS, 1, 0, "1:1"));
        assertThat(undisturbed.drive(List.of()).awaitEnd())
                .as(undisturbed::output)
                .isZero();
        List<JsonNode> trials = new ArrayList<>();
        undisturbed.results().path("trials").forEach(trials::add);
        return trials;
    }
}
