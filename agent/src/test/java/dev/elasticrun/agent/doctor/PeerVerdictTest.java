/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PeerVerdictTest {
    private static final Duration STATE_WAIT = Duration.ofSeconds(10);
    private static final long MILLI = 1_000_000;

    private static Attendee attendee(String node, String... dialed) {
        return new Attendee(node, "10.0.0.2:7000", "", "on", List.of(dialed));
    }

    private static PeerReport report(long p99Millis, long bytesPerSecond, long clockMillis) {
        return new PeerReport(
                "b", "10.0.0.2:7000", new Latencies(50, MILLI, p99Millis * MILLI), bytesPerSecond, clockMillis, 2);
    }

    private static Check check(Meeting.Outcome outcome, long checkpointBytes) {
        NodeLoad load = new NodeLoad(1, 1, OptionalLong.empty(), OptionalLong.of(checkpointBytes));
        return PeerVerdict.of(outcome, "on", load, STATE_WAIT);
    }

    @Test
    void node_thatIsReached_hasRoundTripAndThroughput() {
        Check check = check(new Meeting.Outcome(attendee("b"), List.of(report(2, 1 << 20, 0)), ""), 10 << 20);

        assertThat(check)
                .isEqualTo(Check.ok(
                        "node b", "at 10.0.0.2:7000: round trip p50 1.00 ms, p99 2.00 ms of 50; 1.0 MiB/s received"));
    }

    @Test
    void node_fromWhichACheckpointTakesLongerThanTheWait_isAWarning() {
        Check check = check(new Meeting.Outcome(attendee("b"), List.of(report(2, 1 << 20, 0)), ""), 11 << 20);

        assertThat(check.health()).isEqualTo(Health.WARNING);
        assertThat(check.advice()).contains("--state-wait to 22s", "11 s");
    }

    @Test
    void node_farAway_isAWarning() {
        assertThat(check(new Meeting.Outcome(attendee("b"), List.of(report(101, 1 << 20, 0)), ""), 0)
                        .health())
                .isEqualTo(Health.WARNING);
    }

    @Test
    void node_thatIsNotReached_isAnErrorWithThePlace() {
        Check check = check(new Meeting.Outcome(attendee("b"), List.of(), "UNAVAILABLE"), 0);

        assertThat(check.health()).isEqualTo(Health.ERROR);
        assertThat(check.found()).isEqualTo("at 10.0.0.2:7000: UNAVAILABLE");
    }

    @Test
    void node_withOtherEncryption_isNamedWithBoth() {
        Attendee plain = new Attendee("b", "10.0.0.2:7000", "", "off", List.of());

        Check check = check(new Meeting.Outcome(plain, List.of(), "UNAVAILABLE"), 0);

        assertThat(check.found()).contains("'off'", "'on'");
    }

    @ParameterizedTest
    @CsvSource({"0, OK", "1002, OK", "1003, WARNING", "-1003, WARNING"})
    void clock_moreThanASecondApart_isAWarning(long millis, Health expected) {
        assertThat(PeerVerdict.clock(List.of(report(1, 1, 0), report(1, 1, millis)))
                        .health())
                .isEqualTo(expected);
    }

    @Test
    void clock_ofAPeerThatIsAhead_isBehindIt() {
        assertThat(PeerVerdict.clock(List.of(report(1, 1, 30))).found()).isEqualTo("30 ms behind node b, to 2 ms");
        assertThat(PeerVerdict.clock(List.of()).found()).startsWith("not compared");
    }

    @Test
    void attendance_tooLow_reportsHowManyAndHowLong() {
        assertThat(PeerVerdict.attendance(2, 2, "r", STATE_WAIT)).isEmpty();
        assertThat(PeerVerdict.attendance(1, 2, "r", STATE_WAIT).orElseThrow().found())
                .isEqualTo("1 of 2 came to be examined for run r within 10s");
    }

    @Test
    void roster_isDoneWhenAllHaveDialedEachOther() {
        Attendee alone = attendee("a");
        assertThat(new Roster(alone, List.of()).isDone(1, false)).isFalse();

        Roster met = new Roster(alone, List.of(attendee("b")));
        assertThat(met.toDial()).extracting(Attendee::node).containsExactly("b");

        Roster dialed = new Roster(alone.withDialed("b"), List.of(attendee("b")));
        assertThat(dialed.toDial()).isEmpty();
        assertThat(dialed.owing()).containsExactly("b");
        assertThat(dialed.isDone(1, false)).isFalse();

        assertThat(new Roster(alone.withDialed("b"), List.of(attendee("b", "a"))).isDone(1, false))
                .isTrue();
        assertThat(new Roster(alone.withDialed("b"), List.of()).isDone(1, false))
                .isTrue();
        assertThat(new Roster(alone.withDialed("b"), List.of()).isDone(2, false))
                .isFalse();
    }

    @Test
    void roster_ofTheNodeThatServesTheStore_isDoneWhenAllHaveLeft() {
        Attendee dialed = attendee("a", "b");

        assertThat(new Roster(dialed, List.of(attendee("b", "a"))).isDone(1, true))
                .isFalse();
        assertThat(new Roster(dialed, List.of()).isDone(1, true)).isTrue();
    }

    @Test
    void attendee_isReadAsItWasWritten() {
        Attendee written = new Attendee("a", "10.0.0.1:7", "00ff", "on", List.of("b", "c"));

        assertThat(Attendee.decode(written.encode())).contains(written);
        assertThat(written.keyOr(new byte[] {1})).containsExactly(0, 0xff);
        assertThat(attendee("a").keyOr(new byte[] {1})).containsExactly(1);
        assertThat(written.toString()).doesNotContain("00ff");
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                "{}",
                "[1]",
                "x",
                "{\"node\":\"a\",\"place\":\"b\"}",
                "{\"node\":\"a\",\"place\":\"b:1\",\"key\":\"zz\"}"
            },
            delimiter = ';')
    void attendee_ofOtherBytes_isNone(String text) {
        assertThat(Attendee.decode(text.getBytes(StandardCharsets.UTF_8))).isEmpty();
    }
}
