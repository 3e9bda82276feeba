/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.elasticrun.worker.contract.WorkerInfo;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import ml.dmlc.xgboost4j.java.Communicator;
import ml.dmlc.xgboost4j.java.RabitTracker;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
final class CommunicatorArgumentsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Map<String, String> RUNTIME = Map.of(
            "DMLC_TRACKER_URI", "10.0.0.7",
            "DMLC_TRACKER_PORT", "40001",
            "DMLC_TASK_ID", "1",
            "DMLC_NUM_WORKER", "3");

    @Test
    void of_round_namesItsTrackerAndThePlaceInIt() {
        assertThat(CommunicatorArguments.of(info(RUNTIME), TIMEOUT))
                .containsOnly(
                        Map.entry("dmlc_communicator", "rabit"),
                        Map.entry("dmlc_tracker_uri", "10.0.0.7"),
                        Map.entry("dmlc_tracker_port", 40001),
                        Map.entry("dmlc_task_id", "g00000017-r000001"),
                        Map.entry("dmlc_retry", 1),
                        Map.entry("dmlc_timeout", 20));
    }

    @Test
    void of_ownRank_isInTheTaskId() {
        assertThat(CommunicatorArguments.of(info(RUNTIME), 2, TIMEOUT))
                .containsEntry("dmlc_task_id", "g00000017-r000002");
    }

    @Test
    void of_noTracker_namesTheOption() {
        assertThatIllegalStateException()
                .isThrownBy(() -> CommunicatorArguments.of(info(Map.of()), TIMEOUT))
                .withMessageContaining("round 17")
                .withMessageContaining("--runtime xgboost");
    }

    @Test
    void of_valuesThatDoNotFit_areRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> CommunicatorArguments.of(info(with("DMLC_NUM_WORKER", "4")), TIMEOUT))
                .withMessage("DMLC_NUM_WORKER: 4 (expected: 3, the workers of the round)");
        for (String port : new String[] {"0", "65536", "x"}) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> CommunicatorArguments.of(info(with("DMLC_TRACKER_PORT", port)), TIMEOUT))
                    .withMessage("DMLC_TRACKER_PORT: " + port + " (expected: a port, 1 to 65535)");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CommunicatorArguments.of(info(RUNTIME), 3, TIMEOUT))
                .withMessage("rank: 3 (expected: 0 to 2)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CommunicatorArguments.of(info(RUNTIME), Duration.ofMillis(900)))
                .withMessage("timeout: PT0.9S (expected: 1 s or more)");
    }

    /** What the native side makes of it shows also whether all that it needs is there. */
    @Test
    void of_trackerOfXgboost_isReached() throws Exception {
        RabitTracker tracker = new RabitTracker(1, "127.0.0.1", 0, 20);
        tracker.start();
        Map<String, Object> address = tracker.getWorkerArgs();
        WorkerInfo.Place only = new WorkerInfo.Place(0, 1);
        WorkerInfo alone = new WorkerInfo(
                1,
                1,
                new WorkerInfo.Ranks(only, only, only, only),
                "default",
                new WorkerInfo.Master("127.0.0.1", 1),
                Map.of(
                        "DMLC_TRACKER_URI",
                        String.valueOf(address.get("dmlc_tracker_uri")),
                        "DMLC_TRACKER_PORT",
                        String.valueOf(address.get("dmlc_tracker_port")),
                        "DMLC_NUM_WORKER",
                        "1"));

        Communicator.init(CommunicatorArguments.of(alone, TIMEOUT));

        assertThat(Communicator.getWorldSize()).isEqualTo(1);
        Communicator.shutdown();
        tracker.waitFor(20);
    }

    private static Map<String, String> with(String key, String value) {
        Map<String, String> changed = new HashMap<>(RUNTIME);
        changed.put(key, value);
        return changed;
    }

    private static WorkerInfo info(Map<String, String> runtime) {
        WorkerInfo.Place place = new WorkerInfo.Place(1, 3);
        return new WorkerInfo(
                17,
                9,
                new WorkerInfo.Ranks(new WorkerInfo.Place(0, 1), place, place, place),
                "default",
                new WorkerInfo.Master("10.0.0.7", 40000),
                runtime);
    }
}
