/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.worker.contract.CheckpointId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CheckpointFileTest {
    private static final byte[] CONTENT = {1, 2, 3, 4, 5};

    @TempDir
    private Path directory;

    @Test
    void write_twoVersions_bothAreReadNewestFirst() throws IOException {
        for (long version = 1; version <= 3; version++) {
            CheckpointFile.write(directory, id(version), CONTENT);
        }
        assertThat(CheckpointFile.read(directory, "i"))
                .extracting(Checkpoint::id)
                .containsExactly(id(3), id(2));
        assertThat(CheckpointFile.read(directory, "i").get(0).content()).isEqualTo(CONTENT);
        assertThat(CheckpointFile.read(directory, "other")).isEmpty();
        assertThat(CheckpointFile.read(directory.resolve("none"), "i")).isEmpty();
    }

    @Test
    void decode_anyDamage_isNoticed() throws IOException {
        CheckpointFile.write(directory, id(2), CONTENT);
        byte[] whole = Files.readAllBytes(directory.resolve("0"));
        for (int at = 0; at < whole.length; at++) {
            byte[] flipped = whole.clone();
            flipped[at] ^= 0x40;
            byte[] cut = Arrays.copyOf(whole, at);
            assertThatThrownBy(() -> CheckpointFile.decode(flipped))
                    .as("byte %d", at)
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(() -> CheckpointFile.decode(cut))
                    .as("cut at %d", at)
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void read_oneIsDamaged_theOtherIsUsed() throws IOException {
        CheckpointFile.write(directory, id(1), CONTENT);
        CheckpointFile.write(directory, id(2), CONTENT);
        Files.write(directory.resolve("0"), new byte[100]);
        assertThat(CheckpointFile.read(directory, "i"))
                .extracting(Checkpoint::id)
                .containsExactly(id(1));
    }

    private static CheckpointId id(long version) {
        return new CheckpointId("i", 4, version, Digest.of(CONTENT));
    }
}
