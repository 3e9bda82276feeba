/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.agreement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.internal.engine.PeerState;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

public final class CheckpointAgreementTest {
    private static final long SURVIVOR = 3;
    private static final long LEFT_OUT = 2;
    private static final long NEWCOMER = 0;

    @Test
    void of_nobodyHoldsAny_startsFromNothing() {
        CheckpointAgreement agreement = CheckpointAgreement.of(List.of(rank(SURVIVOR), rank(NEWCOMER)));
        assertThat(agreement.agreed()).isEmpty();
        assertThat(agreement.lacking()).isEmpty();
    }

    @Test
    void of_survivorsDifferByOne_takesTheNewestThatAllHold() {
        CheckpointAgreement agreement = CheckpointAgreement.of(List.of(
                rank(SURVIVOR, committed(5), committed(6)),
                rank(SURVIVOR, committed(4), committed(5)),
                rank(NEWCOMER)));
        assertThat(agreement.agreed()).contains(id(5));
        assertThat(agreement.sources()).containsExactly(0, 1);
        assertThat(agreement.lacking()).containsExactly(2);
    }

    @Test
    void of_stagedHereAndCommittedThere_countsAsHeldByAll() {
        CheckpointAgreement agreement = CheckpointAgreement.of(
                List.of(rank(SURVIVOR, committed(5), staged(6)), rank(SURVIVOR, committed(5), committed(6))));
        assertThat(agreement.agreed()).contains(id(6));
    }

    @Test
    void of_stagedBySomeOnly_isNotAgreed() {
        CheckpointAgreement agreement =
                CheckpointAgreement.of(List.of(rank(SURVIVOR, committed(5), staged(6)), rank(SURVIVOR, committed(5))));
        assertThat(agreement.agreed()).contains(id(5));
    }

    @Test
    void of_rankZeroWasReplaced_takesWhatTheOthersAgreeOn() {
        CheckpointAgreement agreement = CheckpointAgreement.of(List.of(
                rank(NEWCOMER, committed(4), committed(5)),
                rank(SURVIVOR, committed(5), staged(6)),
                rank(SURVIVOR, committed(5), committed(6))));
        assertThat(agreement.agreed()).contains(id(6));
        assertThat(agreement.sources()).containsExactly(1, 2);
        assertThat(agreement.lacking()).containsExactly(0);
    }

    @Test
    void of_newcomerHoldsNewer_countsForNothing() {
        CheckpointAgreement agreement =
                CheckpointAgreement.of(List.of(rank(NEWCOMER, committed(9)), rank(SURVIVOR, committed(5))));
        assertThat(agreement.agreed()).contains(id(5));
        assertThat(agreement.sources()).containsExactly(1);
        assertThat(agreement.lacking()).containsExactly(0);
    }

    @Test
    void of_filesOfAWorldAfterTheNewestRoundOfAll_areNewerThanWhatSurvivorsHave() {
        CheckpointId later = new CheckpointId("i", SURVIVOR + 1, 9, 9);
        CheckpointAgreement agreement = CheckpointAgreement.of(List.of(
                rank(SURVIVOR, committed(5)),
                rank(NEWCOMER, copy(later, 1, CheckpointInventory.State.COMMITTED)),
                rank(SURVIVOR, committed(5))));
        assertThat(agreement.agreed()).contains(later);
        assertThat(agreement.survivors()).isEmpty();
        assertThat(agreement.sources()).containsExactly(1);
        assertThat(agreement.lacking()).containsExactly(0, 2);
    }

    @Test
    void of_newcomerHoldsTheAgreedOne_canBeTheSource() {
        CheckpointAgreement agreement = CheckpointAgreement.of(
                List.of(rank(NEWCOMER, committed(5)), rank(SURVIVOR, committed(5)), rank(NEWCOMER)));
        assertThat(agreement.sources()).containsExactly(0, 1);
        assertThat(agreement.lacking()).containsExactly(2);
    }

    @Test
    void of_sameVersionWithOtherContent_isNotTheSame() {
        CheckpointId other = new CheckpointId("i", 2, 5, 99);
        CheckpointAgreement agreement = CheckpointAgreement.of(List.of(
                rank(SURVIVOR, committed(4), committed(5)),
                rank(SURVIVOR, committed(4), copy(other, 1, CheckpointInventory.State.COMMITTED))));
        assertThat(agreement.agreed()).contains(id(4));
    }

    @Test
    void of_survivorWithoutAny_beatsTheFilesOfNewcomers() {
        CheckpointAgreement agreement = CheckpointAgreement.of(List.of(rank(SURVIVOR), rank(NEWCOMER, committed(5))));
        assertThat(agreement.agreed()).isEmpty();
    }

    @Test
    void of_rankThatWasLeftOutOfARound_countsForNothing() {
        CheckpointAgreement agreement = CheckpointAgreement.of(
                List.of(rank(LEFT_OUT, committed(2), committed(3)), rank(SURVIVOR, committed(8), committed(9))));
        assertThat(agreement.agreed()).contains(id(9));
        assertThat(agreement.sources()).containsExactly(1);
        assertThat(agreement.lacking()).containsExactly(0);
    }

    @Test
    void of_newcomersOnly_takesTheNewestCommittedFromAnyNode() {
        CheckpointAgreement agreement = CheckpointAgreement.of(List.of(
                rank(NEWCOMER, committed(4)), rank(NEWCOMER, committed(6), committed(5)), rank(NEWCOMER, staged(7))));
        assertThat(agreement.agreed()).contains(id(6));
        assertThat(agreement.sources()).containsExactly(1);
        assertThat(agreement.lacking()).containsExactly(0, 2);
    }

    @Test
    void of_newcomersWithTwoHistories_takesTheLaterWorld() {
        CheckpointId later = new CheckpointId("i", 3, 2, 1);
        CheckpointAgreement agreement = CheckpointAgreement.of(List.of(
                rank(NEWCOMER, committed(5)), rank(NEWCOMER, copy(later, 8, CheckpointInventory.State.COMMITTED))));
        assertThat(agreement.agreed()).contains(later);
    }

    @Test
    void of_lazyExpiredHereAndHeldThere_isServedFromThere() {
        // Rank 0 is in the next checkpoint call, rank 1 is not there yet.
        CheckpointAgreement agreement = CheckpointAgreement.of(List.of(
                rank(
                        SURVIVOR,
                        copy(id(5), -1, CheckpointInventory.State.EXPIRED),
                        copy(id(6), -1, CheckpointInventory.State.STAGED)),
                rank(SURVIVOR, copy(id(5), -1, CheckpointInventory.State.COMMITTED)),
                rank(NEWCOMER)));
        assertThat(agreement.agreed()).contains(id(5));
        assertThat(agreement.survivors()).containsExactly(0, 1);
        assertThat(agreement.sources()).containsExactly(1);
        assertThat(agreement.lacking()).containsExactly(0, 2);
    }

    @Test
    void of_expiredEverywhere_isNotAgreed() {
        CheckpointAgreement agreement = CheckpointAgreement.of(List.of(
                rank(
                        SURVIVOR,
                        copy(id(5), -1, CheckpointInventory.State.EXPIRED),
                        copy(id(6), -1, CheckpointInventory.State.STAGED)),
                rank(
                        SURVIVOR,
                        copy(id(5), -1, CheckpointInventory.State.EXPIRED),
                        copy(id(6), -1, CheckpointInventory.State.STAGED))));
        assertThat(agreement.agreed()).contains(id(6));
    }

    @Test
    void statement_roundTrip_isEqual() {
        BitSet arrived = new BitSet();
        arrived.set(3);
        arrived.set(70);
        CheckpointInventory.Local local = new CheckpointInventory.Local(1, 2, true, 3L << 31, 99);
        CheckpointInventory inventory = new CheckpointInventory(
                SURVIVOR,
                false,
                List.of(
                        committed(5),
                        new CheckpointInventory.Copy(
                                id(6),
                                4,
                                5L << 32,
                                CheckpointInventory.State.STAGED,
                                new CheckpointInventory.Locals(true, true, 9, 3, List.of(local, local), parity(4)))),
                List.of(new CheckpointInventory.Partial(id(7), 2, 7L << 33, 5, arrived)));
        PeerState peerState = PeerState.of(inventory);
        assertThat(PeerState.decode(peerState.encode(), "i")).isEqualTo(peerState);
    }

    /** The blocks of two seats of a set with a state less than seats. */
    public static List<CheckpointInventory.ParityBlock> parity(int seats) {
        List<ParitySet.Member> members = IntStream.range(1, seats)
                .mapToObj(seat -> new ParitySet.Member(
                        seat, new CheckpointInventory.Local(seat, seat - 1, seat % 2 == 0, 1 << 20, seat)))
                .toList();
        ParitySet set = new ParitySet(seats, members);
        return List.of(
                new CheckpointInventory.ParityBlock(set, 0), new CheckpointInventory.ParityBlock(set, seats - 1));
    }

    private static CheckpointInventory rank(long startedRound, CheckpointInventory.Copy... copies) {
        return new CheckpointInventory(startedRound, false, Arrays.asList(copies), List.of());
    }

    private static CheckpointInventory.Copy copy(CheckpointId id, int length, CheckpointInventory.State state) {
        return new CheckpointInventory.Copy(
                id, 3, length, state, new CheckpointInventory.Locals(false, false, 0, -1, List.of(), List.of()));
    }

    private static CheckpointInventory.Copy committed(long version) {
        return copy(id(version), 100, CheckpointInventory.State.COMMITTED);
    }

    private static CheckpointInventory.Copy staged(long version) {
        return copy(id(version), 100, CheckpointInventory.State.STAGED);
    }

    private static CheckpointId id(long version) {
        return new CheckpointId("i", 2, version, version * 31);
    }
}
