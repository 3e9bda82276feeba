/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StepLogTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void change_workersStay_pauseAndNoStepAgain() {
        StepLog log = new StepLog(List.of(
                made(1, 10, 3, 7),
                made(2, 10, 3, 7),
                made(3, 10, 3, 7),
                made(1, 12, 2, 8),
                made(2, 13, 2, 8),
                made(1, 14, 2, 9)));

        assertThat(log.change(0, 3, 2)).contains(new StepLog.Change(3, 0, 2, 10 * SECOND, 13 * SECOND));
        assertThat(log.together(0, 3)).contains(10 * SECOND);
        assertThat(log.change(0, 2, 3)).isEmpty();
    }

    @Test
    void change_workersAreReplaced_stepsSinceTheCheckpointAreDoneAgain() {
        StepLog log = new StepLog(List.of(
                made(1, 10, 2, 17), made(2, 11, 2, 18), made(4, 20, 3, 11), made(5, 20, 3, 11), made(6, 21, 3, 11)));

        assertThat(log.change(0, 2, 3)).contains(new StepLog.Change(10, 8, 0, 11 * SECOND, 21 * SECOND));
    }

    @Test
    void change_notAllHaveMadeAStep_noChange() {
        StepLog log = new StepLog(List.of(made(1, 10, 3, 7), made(1, 12, 2, 8)));

        assertThat(log.change(0, 3, 2)).isEmpty();
        assertThat(log.change(11 * SECOND, 3, 2)).isEmpty();
    }

    @Test
    void change_committedStepWasNotWrittenDown_noneIsLost() {
        StepLog log = new StepLog(List.of(made(1, 10, 2, 7), made(2, 10, 2, 7), made(1, 12, 1, 9)));

        assertThat(log.change(0, 2, 1)).map(StepLog.Change::lost).contains(0L);
    }

    @Test
    void read_lineThatIsNotComplete_isLeftOut(@TempDir Path directory) throws IOException {
        Files.writeString(directory.resolve("41.steps"), "5 1 1\n6 1 2\n7 1");
        Files.writeString(directory.resolve("starts"), "1 2\n");

        assertThat(StepLog.read(directory).together(5, 1)).contains(6L);
        assertThat(StepLog.read(directory).together(6, 1)).isEmpty();
    }

    private static StepLog.Made made(long pid, long second, int world, long step) {
        return new StepLog.Made(pid, second * SECOND, world, step);
    }
}
