/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.terms.LeaseTimes;
import dev.elasticrun.rendezvous.terms.RoundTimes;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Several losses of one cause: one round, at the price of a moment that grows with the number of members. */
final class PlannerLossesTest {
    private static final Duration MOMENT = Duration.ofMillis(5);
    private static final Duration WITHIN = Duration.ofMillis(2);

    @Test
    void lose_severalWithinTheMoment_costsOneRound() {
        PlannerFixture run = collecting(PlannerFixture.soft(2, 5, 3));

        run.lose("n1");
        Plan plan = run.publish();

        assertThat(plan.decision()).isInstanceOf(Decision.Wait.class);
        assertThat(plan.gathering().kind()).isEqualTo(Gathering.Kind.LOSSES);
        assertThat(PlannerFixture.untilDeadline(run, plan)).isEqualTo(MOMENT);

        // The moment begins with the first loss, and does not begin again.
        run.pass(WITHIN).lose("n3").publish();
        run.pass(MOMENT.minus(WITHIN));

        assertThat(run.publishOne().number()).isEqualTo(2);
        assertThat(run.members()).containsExactly("n2", "n4", "n5");
    }

    @Test
    void lose_masterEndpointIsUsed_waitsForAnotherButNotForMoreLosses() {
        PlannerFixture run = collecting(PlannerFixture.soft(2, 5, 3));
        run.lose("n5").publish();
        run.pass(MOMENT).publishOne();
        run.lose("n4").publish();

        PlannerFixture.assertAwaitsMasterOf("n1", run.pass(MOMENT).publish());
        run.allWorkOf("n1", "n2", "n3");

        assertThat(run.publishOne().participants()).hasSize(3);
    }

    @Test
    void lose_inAnotherIncident_collectsAnew() {
        PlannerFixture run = collecting(PlannerFixture.soft(2, 5, 3));
        run.lose("n1").publish();
        run.pass(MOMENT).publishOne();
        run.allWork().lose("n2");

        assertThat(PlannerFixture.untilDeadline(run, run.publish()))
                .isEqualTo(MOMENT.dividedBy(5).multipliedBy(4));
    }

    @Test
    void lose_underHard_stopsAllAtOnce() {
        PlannerFixture run = collecting(PlannerFixture.hard(2, 5, 3));

        run.lose("n1");

        assertThat(run.publishOne().suspended()).isTrue();
    }

    @Test
    void losses_fewMembers_takesNoTime() {
        PlannerConfig usual = new PlannerConfig(
                LeaseTimes.of(PlannerFixture.LEASE),
                new RoundTimes(
                        PlannerFixture.JOIN,
                        PlannerFixture.LAST_CALL,
                        PlannerFixture.SCALE_UP,
                        Duration.ZERO,
                        PlannerFixture.BACK_OFF,
                        PlannerFixture.COOL_DOWN));

        assertThat(usual.losses(49)).isZero();
        assertThat(usual.losses(1000)).isEqualTo(Duration.ofMillis(20));
    }

    private static PlannerFixture collecting(PlannerFixture run) {
        return run.running("n1", "n2", "n3", "n4", "n5").collectsLosses(MOMENT.dividedBy(5));
    }
}
