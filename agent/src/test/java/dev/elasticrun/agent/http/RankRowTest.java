/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.elasticrun.proto.WorkerStatus;
import org.junit.jupiter.api.Test;

/** Names and values of a worker in the JSON of the page. */
final class RankRowTest {

    @Test
    void worker_ofWhichAllIsKnown() throws JsonProcessingException {
        assertThat(json(WorkerStatus.newBuilder()
                        .setSlot(1)
                        .setAttempt(2)
                        .setPid(4711)
                        .setRank(5)
                        .setState("working")
                        .setStep(30)
                        .setTotal(100)
                        .setStepsPerSecond(4.2517)
                        .setVersion(20)
                        .setMemoryBytes(1 << 20)
                        .setStillMillis(80)
                        .setSection("load")))
                .isEqualTo("{\"rank\":5,\"node\":\"a\",\"slot\":1,\"attempt\":2,\"pid\":4711,\"state\":\"working\","
                        + "\"step\":30,\"stepsPerSecond\":4.252,\"checkpoint\":20,\"memoryBytes\":1048576,"
                        + "\"stillMillis\":80}");
    }

    @Test
    void worker_ofWhoseAgentOnlyTheStoreKnows() throws JsonProcessingException {
        assertThat(json(WorkerStatus.newBuilder()
                        .setPid(4711)
                        .setRank(-1)
                        .setStepsPerSecond(-1)
                        .setStillMillis(-1)))
                .isEqualTo("{\"rank\":null,\"node\":\"a\",\"slot\":0,\"attempt\":0,\"pid\":4711,\"state\":\"unknown\","
                        + "\"step\":null,\"stepsPerSecond\":null,\"checkpoint\":null,\"memoryBytes\":null,"
                        + "\"stillMillis\":null}");
    }

    private static String json(WorkerStatus.Builder worker) throws JsonProcessingException {
        return new ObjectMapper().writeValueAsString(RunPicture.RankRow.of("a", worker.build()));
    }
}
