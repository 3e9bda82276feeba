/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

final class EpochStateTest {

    @Test
    void endEpoch_auditsWhatWasUsed() {
        EpochState state = new EpochState(5, 1);
        state.use(new int[] {1, 0, 2, 0, 1}, 3);
        state.use(new int[] {0, 1, 0, 0, 1}, 2);
        state.endEpoch();
        state.use(new int[] {1, 1, 1, 1, 1}, 2);
        state.endEpoch();

        assertThat(state.ended())
                .containsExactly(
                        "epoch 1: 5 samples, 1 missed, 2 used twice, in worlds of [3, 2]",
                        "epoch 2: 5 samples, 0 missed, 0 used twice, in worlds of [2]");
    }

    @Test
    void restore_goesBackToWhatWasSaved() {
        EpochState state = new EpochState(4, 1);
        state.use(new int[] {1, 1, 1, 1}, 2);
        state.endEpoch();
        state.sampler().next(1);
        state.use(new int[] {1, 0, 0, 0}, 2);
        byte[] saved = state.save();
        state.sampler().next(2);
        state.use(new int[] {0, 1, 1, 0}, 1);
        state.endEpoch();

        state.restore(saved);

        assertThat(state.save()).isEqualTo(saved);
        assertThat(state.sampler().remaining()).isEqualTo(3);
        assertThat(state.ended()).hasSize(1);
    }

    @Test
    void restore_otherData_isRefused() {
        byte[] saved = new EpochState(4, 1).save();

        assertThatThrownBy(() -> new EpochState(5, 1).restore(saved)).hasMessageContaining("4 samples");
        assertThatThrownBy(() -> new EpochState(4, 1).restore(new byte[40]))
                .isInstanceOfAny(UncheckedIOException.class, IllegalArgumentException.class);
    }
}
