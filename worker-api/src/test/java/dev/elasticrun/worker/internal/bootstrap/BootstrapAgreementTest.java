/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BootstrapAgreementTest {

    @Test
    void sameEverywhere_nothingTravels() {
        BootstrapAgreement agreement = BootstrapAgreement.of(List.of(index(1, 2), index(1, 2)));
        assertThat(agreement.services()).isEmpty();
        assertThat(agreement.conflict()).isEmpty();
    }

    @Test
    void newcomers_takeAllFromDifferentHolders() {
        BootstrapAgreement agreement = BootstrapAgreement.of(List.of(index(1, 2), index(), index(1, 2), index()));
        assertThat(agreement.services())
                .containsExactly(
                        new BootstrapAgreement.Service(2, 1, List.of(1L, 2L)),
                        new BootstrapAgreement.Service(2, 3, List.of(1L, 2L)));
        assertThat(BootstrapAgreement.of(List.of(index(1), index(1), index(), index()))
                        .services())
                .extracting(BootstrapAgreement.Service::source)
                .containsExactly(0, 1);
    }

    @Test
    void eachHasSomething_onlyWhatIsMissingTravels() {
        BootstrapAgreement agreement = BootstrapAgreement.of(List.of(index(1, 2), index(2, 3)));
        assertThat(agreement.services())
                .containsExactly(
                        new BootstrapAgreement.Service(1, 0, List.of(3L)),
                        new BootstrapAgreement.Service(0, 1, List.of(1L)));
    }

    @Test
    void differentContents_areAConflictOfTwoRanks() {
        BootstrapIndex other = new BootstrapIndex(List.of(new BootstrapIndex.Entry(2, 99)));
        BootstrapAgreement agreement = BootstrapAgreement.of(List.of(index(), index(1, 2), index(2), other));
        assertThat(agreement.conflict()).contains(new BootstrapAgreement.Conflict(2, 1, 3));
    }

    private static BootstrapIndex index(long... keys) {
        return new BootstrapIndex(Arrays.stream(keys)
                .mapToObj(key -> new BootstrapIndex.Entry(key, key * 10))
                .toList());
    }
}
