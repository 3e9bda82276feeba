/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.contract.CheckpointId;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CheckpointAgreementTest {
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
        assertThat(agreement.source()).isZero();
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
        assertThat(agreement.source()).isEqualTo(1);
        assertThat(agreement.lacking()).containsExactly(0);
    }

    @Test
    void of_newcomerHoldsNewer_countsForNothing() {
        CheckpointAgreement agreement =
                CheckpointAgreement.of(List.of(rank(NEWCOMER, committed(9)), rank(SURVIVOR, committed(5))));
        assertThat(agreement.agreed()).contains(id(5));
        assertThat(agreement.source()).isEqualTo(1);
        assertThat(agreement.lacking()).containsExactly(0);
    }

    @Test
    void of_newcomerHoldsTheAgreedOne_canBeTheSource() {
        CheckpointAgreement agreement = CheckpointAgreement.of(
                List.of(rank(NEWCOMER, committed(5)), rank(SURVIVOR, committed(5)), rank(NEWCOMER)));
        assertThat(agreement.source()).isZero();
        assertThat(agreement.lacking()).containsExactly(2);
    }

    @Test
    void of_sameVersionWithOtherContent_isNotTheSame() {
        CheckpointId other = new CheckpointId("i", 2, 5, 99);
        CheckpointAgreement agreement = CheckpointAgreement.of(List.of(
                rank(SURVIVOR, committed(4), committed(5)),
                rank(SURVIVOR, committed(4), new Holdings.Copy(other, 1, false))));
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
        assertThat(agreement.source()).isEqualTo(1);
        assertThat(agreement.lacking()).containsExactly(0);
    }

    @Test
    void of_newcomersOnly_takesTheNewestCommittedFromAnyNode() {
        CheckpointAgreement agreement = CheckpointAgreement.of(List.of(
                rank(NEWCOMER, committed(4)), rank(NEWCOMER, committed(6), committed(5)), rank(NEWCOMER, staged(7))));
        assertThat(agreement.agreed()).contains(id(6));
        assertThat(agreement.source()).isEqualTo(1);
        assertThat(agreement.lacking()).containsExactly(0, 2);
    }

    @Test
    void of_newcomersWithTwoHistories_takesTheLaterWorld() {
        CheckpointId later = new CheckpointId("i", 3, 2, 1);
        CheckpointAgreement agreement = CheckpointAgreement.of(
                List.of(rank(NEWCOMER, committed(5)), rank(NEWCOMER, new Holdings.Copy(later, 8, false))));
        assertThat(agreement.agreed()).contains(later);
        assertThat(agreement.length()).isEqualTo(8);
    }

    @Test
    void statement_roundTrip_isEqual() {
        Statement statement = Statement.of(rank(SURVIVOR, committed(5), staged(6)));
        assertThat(Statement.decode(statement.encode(), "i")).isEqualTo(statement);
    }

    private static Holdings rank(long startedRound, Holdings.Copy... copies) {
        return new Holdings(startedRound, Arrays.asList(copies));
    }

    private static Holdings.Copy committed(long version) {
        return new Holdings.Copy(id(version), 100, false);
    }

    private static Holdings.Copy staged(long version) {
        return new Holdings.Copy(id(version), 100, true);
    }

    private static CheckpointId id(long version) {
        return new CheckpointId("i", 2, version, version * 31);
    }
}
