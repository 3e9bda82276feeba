/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.decisions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.rendezvous.plan.Decision;
import dev.elasticrun.rendezvous.plan.Gathering;
import dev.elasticrun.rendezvous.plan.PlannerCall;
import dev.elasticrun.rendezvous.plan.PlannerFixture;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.restart.RestartDecision;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DecisionLineTest {
    private static final DecisionLine.Stamp STAMP =
            new DecisionLine.Stamp("run", "i", "a", 3, Instant.parse("2026-01-02T03:04:05.678Z"));

    @Test
    void line_ofEachKindOfCall_roundTrip_isEqual() {
        RandomRecords random = new RandomRecords(57);
        for (int i = 0; i < 400; i++) {
            PlannerCall call = random.next(PlannerCall.class);
            DecisionLine line = DecisionLine.parse(new DecisionLine(STAMP, call).json());

            assertThat(line.call()).as("call %d", i).isEqualTo(call.withoutOutput());
            assertThat(line.stamp()).isEqualTo(STAMP);
        }
        assertThat(random.seen())
                .contains((Object[]) Cause.class.getPermittedSubclasses())
                .contains((Object[]) Decision.class.getPermittedSubclasses())
                .contains((Object[]) RestartDecision.class.getPermittedSubclasses())
                .contains((Object[]) Gathering.Kind.values())
                .contains((Object[]) NodePhase.values());
    }

    @Test
    void line_ofAFailure_hasNothingThatTheWorkerWrote() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3).running("a", "b");
        run.node("a").failsWith("the message", "at com.example.Secret", List.of("password=hunter2"));

        assertThat(new DecisionLine(STAMP, run.call()).json())
                .contains("the message")
                .doesNotContain("com.example.Secret", "hunter2");
    }

    @Test
    void parse_anotherSchema_namesBoth() {
        String line = new DecisionLine(STAMP, PlannerFixture.soft(1, 1, 3).call())
                .json()
                .replace("{\"schema\":4,", "{\"schema\":5,");

        assertThat(DecisionLine.stampOf(line)).hasValueSatisfying(stamp -> {
            assertThat(stamp.schema()).isEqualTo(5);
            assertThat(stamp.incident()).isEqualTo(3);
        });
        assertThatThrownBy(() -> DecisionLine.parse(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("schema 5 (expected: 4;");
    }

    @Test
    void parse_fieldOfAnotherType_isRefused() {
        String line = new DecisionLine(STAMP, PlannerFixture.soft(1, 1, 3).call())
                .json()
                .replace("\"now_nanos\":", "\"now_nanos\":true,\"other\":");

        assertThatThrownBy(() -> DecisionLine.parse(line)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void stamp_ofOtherLines_isEmpty() {
        assertThat(DecisionLine.stampOf("{\"offset\":17}")).isEmpty();
        assertThat(DecisionLine.stampOf("{\"schema\":1,\"run\":\"r")).isEmpty();
        assertThat(DecisionLine.stampOf("")).isEmpty();
        assertThat(DecisionLine.stampOf("null")).isEmpty();
    }
}
