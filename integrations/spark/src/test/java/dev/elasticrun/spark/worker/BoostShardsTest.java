/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.contract.WorkerEnv;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BoostShardsTest {

    @ParameterizedTest
    @CsvSource({"0, 0, 1, 0", "2, 0, 1, 2", "0, 1, 2, 1", "2, 0, 2, 4", "2, 1, 2, 5"})
    void likelyShard_workersOfTasks_haveOneEach(int task, int slot, int slots, int expected) {
        assertThat(BoostShards.likelyShard(environment(task, slot, slots))).hasValue(expected);
    }

    @Test
    void likelyShard_spareWorker_hasNone() {
        assertThat(BoostShards.likelyShard(environment(1, 2, 2))).isEmpty();
    }

    private static Map<String, String> environment(int task, int slot, int slots) {
        return Map.of(
                ShardTraining.TASK,
                Integer.toString(task),
                WorkerEnv.LOCAL_RANK,
                Integer.toString(slot),
                WorkerEnv.LOCAL_WORLD_SIZE,
                Integer.toString(slots));
    }
}
