/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.plan.Decision;
import dev.elasticrun.rendezvous.plan.Gathering;
import dev.elasticrun.rendezvous.plan.Plan;
import dev.elasticrun.rendezvous.plan.PlannerCall;
import dev.elasticrun.rendezvous.plan.PlannerFixture;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.terms.UsedRestarts;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DecisionTrailTest {
    private static final Gathering WAIT = new Gathering(Gathering.Kind.LOSSES, 0);

    private final List<String> recorded = new ArrayList<>();
    private final DecisionTrail trail =
            new DecisionTrail((call, incident) -> recorded.add(call.plan().reason() + " " + incident));
    private final PlannerFixture run = PlannerFixture.soft(1, 2, 3).running("a", "b");
    private final PlannerCall some = run.call();
    private final PlannerCall failed = failed();

    private PlannerCall failed() {
        run.node("a").fails();
        return run.call();
    }

    @Test
    void decision_afterWaits_isRecordedAfterThem() {
        await("first");
        await("first");
        await("second");
        trail.add(failed);

        assertThat(recorded)
                .containsExactly("first 2", "second 2", failed.plan().reason() + " 2");
    }

    @Test
    void waits_moreThanAreKept_areTheNewest() {
        for (int i = 0; i < 10; i++) {
            await("wait " + i);
        }
        trail.add(failed);

        assertThat(recorded)
                .hasSize(DecisionTrail.MAX_WAITS + 1)
                .startsWith("wait 6 2")
                .contains("wait 9 2");
    }

    @Test
    void waits_thatEndWithNothingToDo_areForgotten() {
        await("first");
        trail.add(with(Plan.idle("all is well", 0)));
        trail.add(failed);

        assertThat(recorded).hasSize(1);
    }

    @Test
    void idleCalls_many_recordNothing() {
        for (int i = 0; i < 100; i++) {
            trail.add(with(Plan.idle("all is well", i)));
            await("something");
        }

        assertThat(recorded).isEmpty();
    }

    @Test
    void decision_madeAgainAfterAWriteThatFailed_isRecordedOnce() {
        trail.add(failed);
        Round later = ((Decision.Publish) failed.plan().decision())
                .round()
                .withUsed(new UsedRestarts(1, 1, 0, List.of(70L), 0));
        trail.add(with(new Plan(new Decision.Publish(later), Gathering.nothing(0), "the same, later")));

        assertThat(recorded).hasSize(1);
    }

    @Test
    void roundWrittenAgain_onlyBecauseRestartsCameBack_isNoDecision() {
        Round same = run.round().withUsed(new UsedRestarts(1, 0, 1, List.of(), 0));
        trail.add(with(new Plan(new Decision.Publish(same), Gathering.nothing(0), "restarts came back")));

        assertThat(recorded).isEmpty();
    }

    private void await(String reason) {
        trail.add(with(new Plan(new Decision.Wait(Long.MAX_VALUE), WAIT, reason)));
    }

    private PlannerCall with(Plan plan) {
        return new PlannerCall(some.config(), some.policy(), some.given(), some.advice(), plan);
    }
}
