/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.rules.RoundFixture;
import dev.elasticrun.rendezvous.record.Command;
import dev.elasticrun.rendezvous.record.CommandResult;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.NodeRecords;
import dev.elasticrun.rendezvous.record.Round;
import java.util.List;
import org.junit.jupiter.api.Test;

public final class CommandGoalTest {
    private static final Round BOTH =
            RoundFixture.round(3).with("a", 0, 2).with("b", 0, 2).build();
    private static final Round ONE = RoundFixture.round(4).with("a", 0, 2).build();

    @Test
    void drain_waitsForTheRoundAndThenForTheNode() {
        CommandGoal goal = goal(Command.drain("r", "b", false, ""));

        assertThat(goal.waitsFor(BOTH, List.of(ready("a"), ready("b")))).isEqualTo("a round without b");
        assertThat(goal.waitsFor(ONE, List.of(ready("a"), ready("b")))).isEqualTo("b to stop its workers and leave");
        assertThat(goal.waitsFor(ONE, List.of(ready("a")))).isEmpty();
        assertThat(goal.done(ONE, 38_000_000)).isEqualTo("drained b: round 4 with 2 workers, stall 38 ms");
    }

    @Test
    void scale_waitsForWhoStandsByAndWhoIsAdmitted() {
        assertThat(goal(Command.scale("r", 1, 1, false, "")).waitsFor(BOTH, List.of()))
                .isEqualTo("1 node to stand by");
        CommandGoal up = goal(Command.scale("r", 1, 3, false, ""));
        assertThat(up.waitsFor(BOTH, List.of(ready("c")))).isEqualTo("c to be admitted");
        assertThat(up.waitsFor(BOTH, List.of())).isEmpty();
        assertThat(up.done(BOTH, 0)).isEqualTo("scaled to 1:3: round 3 with 4 workers, as before");
    }

    @Test
    void restart_waitsForTheNextRound() {
        CommandGoal goal = goal(Command.restart("r", ""));

        assertThat(goal.waitsFor(BOTH, List.of())).contains("the round after round 3");
        assertThat(goal.waitsFor(ONE, List.of())).isEmpty();
        assertThat(goal.done(ONE, 0)).isEqualTo("restarted: round 4 with 2 workers");
    }

    @Test
    void done_beforeTheFirstRound_saysSo() {
        assertThat(goal(Command.scale("r", 1, 3, false, "")).done(null, 0))
                .isEqualTo("scaled to 1:3: there is no round yet");
    }

    private static CommandGoal goal(Command command) {
        return new CommandGoal(new CommandResult(command, true, "", 3));
    }

    private static NodeRecord ready(String nodeId) {
        return node(nodeId, nodeId, NodePhase.STANDBY);
    }

    public static NodeRecord node(String nodeId, String label, NodePhase phase) {
        return NodeRecords.of(nodeId, label, "10.0.0.1", 9000, 1, phase, List.of());
    }
}
