/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import org.junit.jupiter.api.Test;

final class LargeTrainingStateTest {
    private static final DataSet TRAINING = BreastCancer.split().training();

    private final TrainingState training = new TrainingState(new LogisticModel(TRAINING.width()));

    @Test
    void goesOnFromWhatWasSaved() throws IOException {
        training.advance(training.model().sums(TRAINING, new Shard(0, 1)), 0.5, 1);
        byte[] saved = save(3);
        assertThat(saved.length).isGreaterThan(3 << 20);

        TrainingState restored = new TrainingState(new LogisticModel(TRAINING.width()));
        restore(restored, 3, saved);

        assertThat(restored.save()).isEqualTo(training.save());
    }

    @Test
    void noticesOtherBytesAndOtherSizes() throws IOException {
        byte[] saved = save(2);
        assertThatThrownBy(() -> restore(training, 1, saved)).hasMessageContaining("more than 1 blocks");
        saved[saved.length - 1] ^= 1;
        assertThatThrownBy(() -> restore(training, 2, saved)).hasMessage("block 1 is not that of step 0");
    }

    private byte[] save(int blocks) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new LargeTrainingState(training, blocks).save(Channels.newChannel(out));
        return out.toByteArray();
    }

    private static void restore(TrainingState into, int blocks, byte[] saved) throws IOException {
        new LargeTrainingState(into, blocks).restore(Channels.newChannel(new ByteArrayInputStream(saved)));
    }
}
