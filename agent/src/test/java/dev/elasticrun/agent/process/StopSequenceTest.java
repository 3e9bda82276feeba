/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import static dev.elasticrun.agent.process.StopSequence.KILL_AGAIN_NANOS;
import static dev.elasticrun.agent.process.StopSequence.KILL_WAIT_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.process.StopSequence.Action;
import dev.elasticrun.agent.process.StopSequence.Phase;
import dev.elasticrun.agent.process.StopSequence.State;
import dev.elasticrun.agent.process.StopSequence.Step;
import java.util.List;
import org.junit.jupiter.api.Test;

class StopSequenceTest {
    /** So that all deadlines are past the overflow. */
    private static final long START = Long.sum(Long.MAX_VALUE, -500);

    private static final long GRACE = 1000;

    private final State terminating = StopSequence.advance(StopSequence.begin(GRACE, START), true, false, START)
            .state();
    private final State killing =
            StopSequence.advance(terminating, true, false, START + GRACE).state();

    @Test
    void advance_new_sendsTermAndWakesAtTheDeadline() {
        Step step = StopSequence.advance(StopSequence.begin(GRACE, START), true, false, START);

        assertThat(step.actions()).containsExactly(Action.TERM);
        assertThat(step.state()).isEqualTo(new State(Phase.TERMINATING, START + GRACE, START + GRACE));
    }

    @Test
    void advance_withinGrace_waits() {
        Step step = StopSequence.advance(terminating, true, false, START + GRACE - 1);

        assertThat(step).isEqualTo(new Step(terminating, List.of()));
    }

    @Test
    void advance_atTheDeadline_kills() {
        Step step = StopSequence.advance(terminating, true, false, START + GRACE);

        assertThat(step.actions()).containsExactly(Action.KILL);
        assertThat(step.state().phase()).isEqualTo(Phase.KILLING);
    }

    @Test
    void advance_noGrace_killsAtOnce() {
        assertThat(StopSequence.advance(StopSequence.begin(0, START), true, false, START)
                        .actions())
                .containsExactly(Action.KILL);
    }

    @Test
    void advance_forced_killsWithinGrace() {
        assertThat(StopSequence.advance(terminating, true, true, START + 1).actions())
                .containsExactly(Action.KILL);
    }

    @Test
    void advance_killed_killsAgainNowAndThen() {
        assertThat(StopSequence.advance(killing, true, true, START + GRACE + 1).actions())
                .isEmpty();
        assertThat(StopSequence.advance(killing, true, false, START + GRACE + KILL_AGAIN_NANOS)
                        .actions())
                .containsExactly(Action.KILL);
    }

    @Test
    void advance_killedLongAgo_givesUpOnce() {
        Step step = StopSequence.advance(killing, true, false, START + GRACE + KILL_WAIT_NANOS);

        assertThat(step.actions()).containsExactly(Action.GIVE_UP);
        assertThat(step.state().ended()).isTrue();
        assertThat(StopSequence.advance(step.state(), true, true, START + GRACE + 2 * KILL_WAIT_NANOS)
                        .actions())
                .isEmpty();
    }

    @Test
    void advance_nobodyLeft_isDoneFromAnyPhase() {
        for (State state : new State[] {StopSequence.begin(GRACE, START), terminating, killing}) {
            Step step = StopSequence.advance(state, false, false, START + 1);

            assertThat(step.actions()).isEmpty();
            assertThat(step.state().phase()).isEqualTo(Phase.DONE);
        }
    }
}
