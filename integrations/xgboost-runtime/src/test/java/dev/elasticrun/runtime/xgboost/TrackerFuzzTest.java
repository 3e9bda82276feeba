/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.fuzz.FuzzBytes;
import dev.elasticrun.rendezvous.fuzz.FuzzHttp;
import dev.elasticrun.rendezvous.fuzz.FuzzRun;
import dev.elasticrun.rendezvous.fuzz.FuzzSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Strangers at the tracker: it hangs up on them, and the workers of the round find each other. */
@Tag("once")
@Timeout(value = 1, unit = TimeUnit.HOURS)
final class TrackerFuzzTest {
    private static final List<String> TEXTS = List.of(
            "",
            "null",
            "[]",
            "{\"task_id\":\"0\"}",
            "{\"task_id\":\"g00005-r0001\"}",
            "{\"task_id\":\"g999999999999999999-r999999999\"}",
            "{\"task_id\":{\"a\":[]}}",
            "{\"task_id\":\"1\",\"node\":\"a\",\"nonce\":\"00\"}",
            "{\"task_id\":\"1\",\"node\":{},\"nonce\":[]}",
            "{\"task_id\":\"1\",\"node\":\"a\",\"nonce\":\"00\"}",
            "{\"task_id\":\"1\",\"node\":{},\"nonce\":[]}",
            "{\"cmd\":1,\"port\":1}",
            "{\"cmd\":1,\"port\":1,\"proof\":\"00\"}",
            "{\"cmd\":1,\"port\":1,\"proof\":\"00\"}",
            "{\"cmd\":1,\"port\":65536}",
            "{\"cmd\":99999999999999999999}",
            "{\"cmd\":1e999}",
            "{\"cmd\":3,\"msg\":null,\"code\":\"x\"}",
            "{\"cmd\":4,\"msg\":\"\\u001b[2J\"}",
            "[".repeat(5000),
            "{\"cmd\":2}");

    @Test
    void strangers_areHungUpOn_andTheRoundFindsItself() throws Exception {
        try (XgboostTracker tracker = XgboostTracker.serve(XgboostTracker.listen(0), Rounds.alone(5))) {
            byte[] real = array(Frames.all(
                    Frames.magic(),
                    Frames.of("{\"world_size\":-1,\"rank\":-1,\"task_id\":\"0\"}"),
                    Frames.of("{\"cmd\":1,\"port\":9,\"error_port\":1}")));
            FuzzSource source = FuzzSource.oneOf(
                    FuzzBytes::noise,
                    FuzzHttp.requests(List.of("/")),
                    TrackerFuzzTest::dialogue,
                    FuzzBytes.mutationsOf(real));

            int inputs = FuzzRun.play(tracker.port(), source, () -> form(tracker.port()));

            // Several inputs go over one connection, and some are what a worker sends.
            assertThat(tracker.refused()).isBetween(inputs / 8L, 2L * inputs + FuzzRun.WARM_UP);
        }
    }

    /** Right until a text that is none, or none that belongs there. */
    private static byte[] dialogue(Random random) {
        byte[] first = array(Frames.of(TEXTS.get(random.nextInt(TEXTS.size()))));
        byte[] second = array(Frames.of(TEXTS.get(random.nextInt(TEXTS.size()))));
        return FuzzBytes.joined(array(Frames.magic()), first, second);
    }

    private static void form(int port) throws IOException {
        try (Worker one = new Worker(port, "1");
                Worker zero = new Worker(port, "0")) {
            one.start(4001);
            zero.start(4000);
            assertThat(zero.text()).isEqualTo("{\"world_size\":2}");
            assertThat(one.text()).isEqualTo("{\"world_size\":2}");
            assertThat(zero.text()).isEqualTo("{\"rank\":1,\"host\":\"127.0.0.1\",\"port\":4001}");
            assertThat(one.text()).isEqualTo("{\"rank\":0,\"host\":\"127.0.0.1\",\"port\":4000}");
        }
    }

    private static byte[] array(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }
}
