/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.rules.RoundFixture;
import dev.elasticrun.rendezvous.golden.GoldenFile;
import dev.elasticrun.rendezvous.record.Command;
import dev.elasticrun.rendezvous.record.CommandResult;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.NodeRecords;
import dev.elasticrun.rendezvous.record.Round;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

public final class CommandGoalTest {
    private static final Round BOTH =
            RoundFixture.round(3).with("a", 0, 2).with("b", 0, 2).build();
    private static final Round ONE = RoundFixture.round(4).with("a", 0, 2).build();

    @Test
    void drain_waitsForTheRoundAndThenForTheNode() {
        CommandGoal goal = goal(Command.drain("r", "b", false, ""));

        assertThat(goal.waitsFor(BOTH, List.of(ready("a"), ready("b")))).isNotEmpty();
        assertThat(goal.waitsFor(ONE, List.of(ready("a"), ready("b")))).isNotEmpty();
        assertThat(goal.waitsFor(ONE, List.of(ready("a")))).isEmpty();
        assertThat(goal.done(ONE, 38_000_000)).contains(" b", "round 4", "2 workers", "38 ms");
    }

    @Test
    void scale_waitsForWhoStandsByAndWhoIsAdmitted() {
        assertThat(goal(Command.scale("r", 1, 1, false, "")).waitsFor(BOTH, List.of()))
                .contains("1 ");
        CommandGoal up = goal(Command.scale("r", 1, 3, false, ""));
        assertThat(up.waitsFor(BOTH, List.of(ready("c")))).contains("c ");
        assertThat(up.waitsFor(BOTH, List.of())).isEmpty();
        assertThat(up.done(BOTH, 0)).contains("1:3", "round 3", "4 workers");
    }

    @Test
    void restart_waitsForTheNextRound() {
        CommandGoal goal = goal(Command.restart("r", ""));

        assertThat(goal.waitsFor(BOTH, List.of())).contains("round 3");
        assertThat(goal.waitsFor(ONE, List.of())).isEmpty();
        assertThat(goal.done(ONE, 0)).contains("round 4", "2 workers");
    }

    @Test
    void done_beforeTheFirstRound_reportsIt() {
        assertThat(goal(Command.scale("r", 1, 3, false, "")).done(null, 0)).contains("1:3");
    }

    @Tag("golden")
    @Test
    void text_ofEachGoal_isAsInTheGoldenFile() throws IOException {
        CommandGoal drain = goal(Command.drain("r", "b", false, ""));
        CommandGoal up = goal(Command.scale("r", 1, 3, false, ""));
        CommandGoal restart = goal(Command.restart("r", ""));
        CommandGoal stop = goal(Command.stop("r", ""));
        GoldenFile.of(CommandGoalTest.class, "goals.txt")
                .add("drain waits for a round", drain.waitsFor(BOTH, List.of(ready("a"), ready("b"))))
                .add("drain waits for the node", drain.waitsFor(ONE, List.of(ready("a"), ready("b"))))
                .add("drain is done", drain.done(ONE, 38_000_000))
                .add(
                        "scale waits for one that is to go",
                        goal(Command.scale("r", 1, 1, false, "")).waitsFor(BOTH, List.of()))
                .add("scale waits for one that is to come", up.waitsFor(BOTH, List.of(ready("c"))))
                .add("scale changes nothing", up.done(BOTH, 0))
                .add("scale before the first round", up.done(null, 0))
                .add("restart waits for a round", restart.waitsFor(BOTH, List.of()))
                .add("restart is done", restart.done(ONE, 0))
                .add("stop waits for all", stop.waitsFor(ONE, List.of()))
                .add("stop is done", stop.done(ONE, 0))
                .assertSame();
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
