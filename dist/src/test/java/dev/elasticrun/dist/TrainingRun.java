/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.dist;

import static org.assertj.core.api.Assertions.assertThat;

/** What a run of the sample must survive, however it was installed. */
final class TrainingRun {
    /** So many that a replacement of a killed worker is back before the end, however slow its start. */
    static final int STEPS = 1500;

    private TrainingRun() {}

    /** One of its two workers is killed; both work again, and the run ends well. */
    static void assertSurvivesAKill(UserProcess training) throws InterruptedException {
        training.awaitOutput(" world 2 round 1");
        training.worker(1).destroyForcibly();
        training.awaitOutput(" world 2 round 3");

        assertThat(training.exitCode()).as(training.err()).isZero();
        assertThat(training.out() + training.err()).contains("accuracy ", "elastic-run: succeeded");
    }
}
