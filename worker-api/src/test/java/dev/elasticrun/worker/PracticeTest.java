/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.internal.engine.TestTls;
import dev.elasticrun.worker.internal.net.Credentials;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class PracticeTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void start_untilItIsToWork_makesStepsOfThreeRanks_andLeavesNothing(boolean isEncrypted) throws Exception {
        AtomicInteger asked = new AtomicInteger();

        Practice.start(world(isEncrypted), directory, () -> asked.incrementAndGet() <= 30)
                .join();

        // The ranks end with the step in which one of them is to work.
        assertThat(asked).hasValue(33);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void start_standsByForLong_endsByItself() throws Exception {
        AtomicInteger asked = new AtomicInteger();

        Practice.start(world(false), directory, () -> asked.incrementAndGet() > 0)
                .join();

        assertThat(asked).hasValue(750);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void start_aRankFails_othersDoNotWaitForIt_andNothingIsLeft() throws Exception {
        AtomicInteger asked = new AtomicInteger();

        Practice.start(world(false), directory, () -> {
                    if (asked.incrementAndGet() == 31) {
                        throw new IllegalStateException("the rank that asks this time fails");
                    }
                    return true;
                })
                .join();

        // Of the 11th step, in which one of them fails, they make no other.
        assertThat(asked).hasValueBetween(31, 33);
        assertThat(directory).isEmptyDirectory();
    }

    private static RehearsedWorld world(boolean isEncrypted) {
        return new RehearsedWorld(
                new Credentials(new byte[32], isEncrypted ? Optional.of(TestTls.context("run")) : Optional.empty()),
                "incarnation");
    }
}
