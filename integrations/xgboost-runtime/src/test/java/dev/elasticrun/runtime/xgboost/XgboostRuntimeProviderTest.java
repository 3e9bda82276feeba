/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.agent.runtime.FrameworkRuntime;
import dev.elasticrun.agent.runtime.FrameworkRuntimes;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What agents find with this module on their class path. */
final class XgboostRuntimeProviderTest {

    @ParameterizedTest
    @CsvSource({"xgboost, true, false", "xgboost:own-tracker, false, true"})
    void choice_isFound(String choice, boolean serves, boolean frees) {
        FrameworkRuntime runtime = FrameworkRuntimes.of(choice, "").chosen();

        assertThat(runtime.servesMasterEndpoint()).isEqualTo(serves);
        assertThat(runtime.freesMasterEndpoint()).isEqualTo(frees);
        assertThat(runtime.reservedNames())
                .containsExactlyInAnyOrder("DMLC_TRACKER_URI", "DMLC_TRACKER_PORT", "DMLC_TASK_ID", "DMLC_NUM_WORKER");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tensor", "", "xgboost:", ":own-tracker"})
    void unknown_isRefusedWithTheKnown(String choice) {
        assertThatThrownBy(() -> FrameworkRuntimes.of(choice, ""))
                .hasMessage("--runtime: " + choice + " (expected: one of none, xgboost[:own-tracker])");
    }

    @Test
    void unknownOption_isRefused() {
        assertThatThrownBy(() -> FrameworkRuntimes.of("xgboost:rank-0", ""))
                .hasMessage("--runtime: xgboost:rank-0 (expected: xgboost[:own-tracker])");
    }

    @Test
    void eventLoop_isKnownUnderAnyRuntime() throws InterruptedException {
        FrameworkRuntimes runtimes = FrameworkRuntimes.of("none", "");
        long own = ProcessHandle.current().pid();
        assertThat(runtimes.hasEventLoop(own)).isFalse();
        Semaphore ended = new Semaphore(0);
        Thread loop = new Thread(ended::acquireUninterruptibly, "main>lw");
        loop.start();

        await().until(() -> runtimes.hasEventLoop(own));

        ended.release();
        loop.join();
    }
}
