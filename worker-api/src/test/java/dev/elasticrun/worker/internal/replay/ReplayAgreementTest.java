/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Where ranks go on, and who sends what, from what they state. */
final class ReplayAgreementTest {
    private static final long WORLD = 4;
    private static final long ERA = 2;

    @Test
    void replacement_takesAllFromNeighbours() {
        ReplayAgreement agreement = agree(3, on(3, 5), LogPosition.NONE, on(3, 5));
        assertThat(agreement.isRollback()).isFalse();
        assertThat(agreement.era()).isEqualTo(ERA);
        assertThat(agreement.target()).isEqualTo(5);
        assertThat(agreement.goesOn()).containsExactly(true, false, true);
        assertThat(agreement.positions()).containsExactly(5L, 0L, 5L);
        assertThat(agreement.services()).containsExactly(new ReplayAgreement.Service(2, 1, numbers(0, 5)));
    }

    @Test
    void survivorThatIsOneBehind_takesTheNewest() {
        ReplayAgreement agreement = agree(3, on(3, 4), on(3, 5), on(3, 5));
        assertThat(agreement.goesOn()).containsOnly(true);
        assertThat(agreement.services()).containsExactly(new ReplayAgreement.Service(1, 0, numbers(4, 5)));
    }

    @Test
    void survivorBeforeTheCheckpointThatOthersMade_standsAtItsBegin() {
        ReplayAgreement agreement = agree(3, on(2, 7), on(3, 1), LogPosition.NONE);
        assertThat(agreement.positions()).containsExactly(0L, 1L, 0L);
        assertThat(agreement.goesOn()).containsExactly(true, true, false);
        assertThat(agreement.services()).hasSize(2);
    }

    @Test
    void survivorThatHasNotStagedTheCheckpoint_isARollback() {
        List<LogPosition> ranks = List.of(on(2, 7), on(3, 1));
        assertThat(ReplayAgreement.of(ranks, List.of(false, true), WORLD, 3).isRollback())
                .isTrue();
    }

    @Test
    void logs_holdEveryStrideth_andTogetherAll() {
        LogPosition striped = new LogPosition(WORLD, ERA, true, 3, 10, 0, 2);
        ReplayAgreement agreement = agree(3, striped, striped, LogPosition.NONE);
        assertThat(agreement.services())
                .containsExactly(
                        new ReplayAgreement.Service(0, 2, List.of(0L, 2L, 4L, 6L, 8L, 9L)),
                        new ReplayAgreement.Service(1, 2, List.of(1L, 3L, 5L, 7L)));
    }

    @Test
    void resultThatNobodyHas_isARollbackOfAll_inANewEra() {
        LogPosition bounded = new LogPosition(WORLD, ERA, true, 3, 10, 1, 1);
        ReplayAgreement agreement = agree(3, bounded, bounded, LogPosition.NONE);
        assertThat(agreement.isRollback()).isTrue();
        assertThat(agreement.era()).isEqualTo(ERA + 1);
        assertThat(agreement.goesOn()).containsOnly(false);
        assertThat(agreement.target()).isZero();
    }

    @Test
    void numberThatNoProgramReaches_isARollbackAndNotCounted() {
        assertThat(agree(3, on(3, Long.MAX_VALUE), LogPosition.NONE).isRollback())
                .isTrue();
    }

    @Test
    void replacementAtTheFirstOperation_needsNoLog() {
        LogPosition bounded = new LogPosition(WORLD, ERA, true, 3, 0, Long.MAX_VALUE, 1);
        assertThat(agree(3, bounded, LogPosition.NONE).isRollback()).isFalse();
    }

    @Test
    void anotherWorld_isARollback() {
        ReplayAgreement agreement = ReplayAgreement.of(List.of(on(3, 5), on(3, 5)), List.of(true, true), WORLD + 1, 3);
        assertThat(agreement.isRollback()).isTrue();
        assertThat(agreement.era()).isEqualTo(ERA + 1);
    }

    @Test
    void rankOfAnOlderEra_beginsAgainWhileTheOthersGoOn() {
        LogPosition stale = new LogPosition(WORLD, ERA - 1, true, 3, 9, 0, 1);
        ReplayAgreement agreement = agree(3, stale, on(3, 2));
        assertThat(agreement.goesOn()).containsExactly(false, true);
        assertThat(agreement.target()).isEqualTo(2);
        assertThat(agreement.services()).containsExactly(new ReplayAgreement.Service(1, 0, numbers(0, 2)));
    }

    @Test
    void programThatBeginsAgain_readsItsOwnLog() {
        LogPosition restarted = new LogPosition(WORLD, ERA, false, 3, 4, 0, 1);
        ReplayAgreement agreement = agree(3, restarted, on(3, 4));
        assertThat(agreement.positions()).containsExactly(0L, 4L);
        assertThat(agreement.services()).isEmpty();
    }

    @Test
    void allBeginAgain_isARollback() {
        LogPosition restarted = new LogPosition(WORLD, ERA, false, 3, 4, 0, 1);
        assertThat(agree(3, restarted, restarted).isRollback()).isTrue();
    }

    @Test
    void allNew_beginsTheFirstEra() {
        ReplayAgreement agreement = agree(0, LogPosition.NONE, LogPosition.NONE);
        assertThat(agreement.isRollback()).isTrue();
        assertThat(agreement.era()).isEqualTo(1);
    }

    private static ReplayAgreement agree(long version, LogPosition... ranks) {
        return ReplayAgreement.of(List.of(ranks), Collections.nCopies(ranks.length, true), WORLD, version);
    }

    private static LogPosition on(long version, long seq) {
        return new LogPosition(WORLD, ERA, true, version, seq, 0, 1);
    }

    private static List<Long> numbers(long from, long to) {
        return LongStream.range(from, to).boxed().toList();
    }
}
