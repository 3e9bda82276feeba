/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.agent.runtime.FrameworkRuntime;
import dev.elasticrun.agent.runtime.PreparedRound;
import dev.elasticrun.agent.runtime.RuntimeRound;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class XgboostRuntimeTest {
    private static final RuntimeRound.Node FIRST = Rounds.FIRST;
    private static final RuntimeRound.Node SECOND = Rounds.SECOND;

    private final XgboostRuntimeProvider provider = new XgboostRuntimeProvider();

    @Test
    void open_workersOfBothNodes_meetAtTheReservedPortHoweverEarlyTheyAre() throws IOException {
        try (FrameworkRuntime runtime = provider.create("");
                ServerSocketChannel door = XgboostTracker.listen(0);
                PreparedRound second = runtime.open(round(SECOND, port(door), null))) {
            try (PreparedRound first = runtime.open(round(FIRST, port(door), door));
                    Worker one = worker(second.values(1));
                    Worker zero = worker(first.values(0))) {
                one.start(4001);
                zero.start(4000);
                assertThat(zero.text()).isEqualTo("{\"world_size\":2}");
                assertThat(zero.text()).contains("\"port\":4001");
            }
        }
    }

    /** The run has rank 1 on the other node; XGBoost's ranks follow the data. */
    @Test
    void open_workerOfThisNodeHasAnotherRankThanInTheRun_takesPart() throws IOException {
        try (FrameworkRuntime runtime = provider.create("");
                ServerSocketChannel door = XgboostTracker.listen(0);
                PreparedRound first = runtime.open(round(FIRST, port(door), door));
                Worker zero = worker(first.values(0));
                Worker one = new Worker(port(door), "1")) {
            zero.start(4000);
            one.start(4666);

            assertThat(zero.text()).isEqualTo("{\"world_size\":2}");
            assertThat(one.text()).isEqualTo("{\"world_size\":2}");
        }
    }

    @Test
    void values_areThoseOfTheConvention() throws IOException {
        PreparedRound prepared = provider.create("own-tracker").open(round(SECOND, 5000, null));

        assertThat(prepared.values(1))
                .isEqualTo(Map.of(
                        "DMLC_TRACKER_URI", "127.0.0.1",
                        "DMLC_TRACKER_PORT", "5000",
                        "DMLC_TASK_ID", "1",
                        "DMLC_NUM_WORKER", "2"));
    }

    @Test
    void close_ofARound_listensUntilTwoMoreAreOver() throws IOException {
        try (FrameworkRuntime runtime = provider.create("")) {
            PreparedRound prepared = runtime.open(round(SECOND, 5000, null));
            prepared.close();
            runtime.open(round(SECOND, 5000, null)).close();
            try (Worker done = worker(prepared.values(1))) {
                done.send("{\"cmd\":2}");
                assertThat(done.in.read()).isNegative();
            }

            runtime.open(round(SECOND, 5000, null)).close();

            await().untilAsserted(() ->
                    assertThatThrownBy(() -> worker(prepared.values(1)).close()).isInstanceOf(ConnectException.class));
        }
    }

    @Test
    void open_reservationWasGivenUp_bindsAnew() throws IOException {
        int port;
        try (ServerSocketChannel reserved = XgboostTracker.listen(0)) {
            port = port(reserved);
        }
        try (FrameworkRuntime runtime = provider.create("");
                PreparedRound first = runtime.open(round(FIRST, port, null));
                Worker zero = worker(first.values(0))) {
            zero.start(4000);
            assertThat(zero.text()).isEqualTo("{\"world_size\":2}");
        }
    }

    private static int port(ServerSocketChannel door) {
        return door.socket().getLocalPort();
    }

    private static Worker worker(Map<String, String> values) throws IOException {
        return new Worker(
                Integer.parseInt(values.getOrDefault("DMLC_TRACKER_PORT", "")),
                values.getOrDefault("DMLC_TASK_ID", ""));
    }

    private static RuntimeRound round(RuntimeRound.Node own, int port, @Nullable ServerSocketChannel door) {
        RuntimeRound.Master master = new RuntimeRound.Master("127.0.0.1", port, door);
        return new RuntimeRound(9, List.of(FIRST, SECOND), own, master, Path.of("unused"), new byte[32]);
    }
}
