/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.HeldVersion;
import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.contract.UpMessage;
import org.junit.jupiter.api.Test;

final class CheckpointsTest {
    private static final Checkpoints WORKING = Checkpoints.NONE.resumed(message(5, 5, 12, 3));

    @Test
    void reached_wasMadeInTheRoundThatItsWorkersAgreedIn() {
        assertThat(WORKING.newest()).isEqualTo(HeldVersion.of(0, 3, 12));
        assertThat(WORKING.reached(18).newest()).isEqualTo(HeldVersion.of(0, 5, 18));
        assertThat(WORKING.reached(11).newest()).as("reported late").isEqualTo(WORKING.newest());
    }

    /** As after a freeze: its workers continue from what the others had. */
    @Test
    void resumed_onLessThanThisNodeHad_givesThatUp() {
        Checkpoints frozen = WORKING.reached(18);

        Checkpoints thawed = frozen.resumed(message(7, 7, 15, 6));

        assertThat(thawed.newest()).isEqualTo(HeldVersion.of(0, 6, 15));
        assertThat(thawed.newest()).isGreaterThan(frozen.newest());
        assertThat(thawed.held(new CheckpointId("run", 5, 18, 1)).newest())
                .as("its files still have it")
                .isEqualTo(thawed.newest());
    }

    @Test
    void resumed_byASecondWorkerAfterACommit_takesNothingBack() {
        UpMessage.Resumed resumed = message(7, 5, 12, 3);
        Checkpoints committed = WORKING.resumed(resumed).reached(13);

        assertThat(committed.resumed(resumed).newest()).isEqualTo(HeldVersion.of(0, 5, 13));
    }

    @Test
    void lost_countsAnew_andFilesOfBeforeCountNoMore() {
        Checkpoints lost = WORKING.lostIn(7).resumed(message(7, 7, 0, 0));

        assertThat(lost.held(new CheckpointId("run", 5, 18, 1)).newest()).isEqualTo(HeldVersion.lostIn(7));
        assertThat(lost.reached(1).newest()).isEqualTo(HeldVersion.of(7, 7, 1));
    }

    /** Workers of an earlier version state no worlds. */
    @Test
    void resumed_byAWorkerThatStatesNoWorlds_goesByVersions() {
        Checkpoints old = Checkpoints.NONE.resumed(message(5, 0, 12, 0)).reached(13);

        assertThat(old.newest()).isEqualTo(HeldVersion.of(0, 0, 13));
        assertThat(old.resumed(message(7, 0, 12, 0)).newest()).isEqualTo(old.newest());
    }

    private static UpMessage.Resumed message(long round, long world, long version, long checkpointWorld) {
        return new UpMessage.Resumed(round, version, 0, world, checkpointWorld);
    }
}
