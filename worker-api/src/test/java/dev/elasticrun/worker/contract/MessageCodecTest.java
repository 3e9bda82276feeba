/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class MessageCodecTest {
    private static final String NASTY = "\"\\/\b\f\n\r\t\u0001 é 漢 😀 \ud800 \u2028";
    private static final WorkerInfo INFO = new WorkerInfo(
            7,
            5,
            new WorkerInfo.Ranks(
                    new WorkerInfo.Place(1, 2),
                    new WorkerInfo.Place(3, 4),
                    new WorkerInfo.Place(3, 4),
                    new WorkerInfo.Place(1, 2)),
            "trainer",
            new WorkerInfo.Master("host.example", 29500),
            Map.of("a", NASTY, NASTY, "b"));

    static Stream<WorkerEvent> events() {
        return Stream.of(
                new WorkerEvent(
                        1,
                        Instant.parse("2026-01-02T03:04:05.678901234Z"),
                        new WorkerEvent.RoundId(NASTY, "i", 0, 0),
                        new WorkerEvent.Change(WorkerState.PAUSED, null, PauseKind.CHANGE, NASTY),
                        null,
                        0),
                new WorkerEvent(
                        Long.MAX_VALUE,
                        Instant.EPOCH,
                        new WorkerEvent.RoundId("run", "i", 7, 5),
                        new WorkerEvent.Change(WorkerState.HEALTHY, WorldChangeEvent.SCALE_DOWN, null, ""),
                        INFO,
                        12),
                new WorkerEvent(
                        2,
                        Instant.EPOCH,
                        new WorkerEvent.RoundId("run", "i", 7, 5),
                        new WorkerEvent.Change(WorkerState.PAUSED, WorldChangeEvent.SCALE_UP, PauseKind.REPLACE, "x"),
                        INFO,
                        12));
    }

    static Stream<UpMessage> upMessages() {
        return Stream.of(
                new UpMessage.Ready(65535),
                new UpMessage.Ack(3, 9, -1),
                new UpMessage.Resumed(4, 9, Long.MIN_VALUE, 3, 2),
                new UpMessage.Progress(10, 0, 3),
                new UpMessage.Committed(12),
                new UpMessage.PeerLost(4, 2),
                new UpMessage.StateLost(4, Long.MAX_VALUE),
                new UpMessage.LocalStateLost(4, 9, List.of(0, 1 << 30)),
                new UpMessage.LocalStateLost(4, 9, List.of()),
                new UpMessage.Failure(NASTY, "at a\n\tat b"),
                new UpMessage.ExcludeNode(NASTY),
                new UpMessage.StopRun(NASTY));
    }

    @ParameterizedTest
    @MethodSource("events")
    void event_roundTrip_isEqual(WorkerEvent event) {
        assertThat(MessageCodec.decodeEvent(MessageCodec.encode(event))).isEqualTo(event);
    }

    @ParameterizedTest
    @MethodSource("upMessages")
    void upMessage_roundTrip_isEqual(UpMessage message) {
        assertThat(MessageCodec.decodeUp(MessageCodec.encode(message))).isEqualTo(message);
    }

    @Test
    void encode_ready_isThisText() {
        assertThat(text(MessageCodec.encode(new UpMessage.Ready(4711))))
                .isEqualTo("{\"version\":1,\"type\":\"READY\",\"port\":4711}");
    }

    @Test
    void decode_unknownFields_areIgnored() {
        String json = " { \"version\" : 1 , \"more\":{\"a\":[1,-2.5e3,true,false,null,{}]}, \"empty\":[],"
                + "\"type\":\"PEER_LOST\", \"round\":4,\"rank\":2 } ";
        assertThat(MessageCodec.decodeUp(bytes(json))).isEqualTo(new UpMessage.PeerLost(4, 2));
    }

    @Test
    void decode_resumedOfAnEarlierVersion_statesNoWorlds() {
        String json = "{\"version\":1,\"type\":\"RESUMED\",\"round\":4,\"checkpoint_version\":9,\"monotonic_nanos\":7}";
        assertThat(MessageCodec.decodeUp(bytes(json))).isEqualTo(new UpMessage.Resumed(4, 9, 7, 0, 0));
    }

    @Test
    void decode_anyTruncation_isRefused() {
        String json = text(MessageCodec.encode(events().toList().get(1)));
        for (int length = 0; length < json.length(); length++) {
            byte[] cut = bytes(json.substring(0, length));
            assertThatThrownBy(() -> MessageCodec.decodeEvent(cut)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'type':'READY','port':1} | version: missing (expected: an integer)",
                "{'version':2,'type':'READY','port':1} | version: 2 (expected: 1)",
                "{'version':1,'type':'HELLO'} | type: HELLO (expected: READY, ACK",
                "{'version':1,'type':'READY','port':70000} | port: 70000 (expected: 1 to 65535)",
                "{'version':1,'type':'READY','port':'x'} | port: x (expected: an integer)",
                "{'version':1,'type':'READY','port':1.5} | port: 1.5 (expected: an integer)",
                "{'version':1,'type':'READY','port':9223372036854775808} | out of range",
                "{'version':1,'type':'PEER_LOST','round':1,'rank':4294967296} | rank: 4294967296 (expected: a 32-bit",
                "{'version':1,'version':1} | version: more than once",
                "{'version':01} | json: '0'",
                "{'version':1,} | json: '}'",
                "{'version':1} x | json: 'x' at character",
                "{'version':1,'type':'\\x'} | (expected: an escape)",
                "{'version':1,'type':'\\u12g4'} | four hexadecimal digits",
                "[] | expected: an object"
            })
    void decode_damaged_namesWhatIsWrong(String json, String message) {
        assertThatThrownBy(() -> MessageCodec.decodeUp(bytes(json.replace('\'', '"'))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void decode_notUtf8_isRefused() {
        byte[] json = bytes("{\"version\":1,\"type\":\"STOP_RUN\",\"message\":\"x\"}");
        json[json.length - 3] = (byte) 0xff;
        assertThatThrownBy(() -> MessageCodec.decodeUp(json)).hasMessageContaining("not UTF-8");
    }

    @Test
    void decode_deepNesting_isRefused() {
        String json = "{\"version\":1,\"x\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";
        assertThatThrownBy(() -> MessageCodec.decodeUp(bytes(json))).hasMessageContaining("nested deeper");
    }

    @Test
    void decodeEvent_nestedFieldIsWrong_namesItsPath() {
        String json =
                text(MessageCodec.encode(events().toList().get(1))).replace("\"world_size\":4", "\"world_size\":[]");
        assertThatThrownBy(() -> MessageCodec.decodeEvent(bytes(json)))
                .hasMessageContaining("worker_info.")
                .hasMessageContaining("world_size: [] (expected: an integer)");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
