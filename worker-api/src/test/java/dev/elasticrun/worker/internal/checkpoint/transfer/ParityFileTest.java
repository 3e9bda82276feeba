/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.contract.ContentName;
import dev.elasticrun.worker.internal.checkpoint.ContentFiles;
import dev.elasticrun.worker.internal.checkpoint.FileBlob;
import dev.elasticrun.worker.internal.checkpoint.IncomingBlob;
import dev.elasticrun.worker.internal.checkpoint.LocalFile;
import dev.elasticrun.worker.internal.net.Digest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ParityFileTest {
    private static final CheckpointId ID = new CheckpointId("i", 3, 7, 70);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, ChunkWriter.BULK, ChunkWriter.BULK + 1, 2 * IncomingBlob.CHUNK + 5})
    void xor_piecesOfAnyPlaceAndLength_isThatOfTheirBytes(int length) throws IOException {
        Random random = new Random(length);
        byte[] expected = new byte[length];
        ParityFile mixture = new ParityFile(length, files(), ID);

        for (int turn = 0; turn < 20 && length > 0; turn++) {
            int at = random.nextInt(length);
            int count = random.nextInt(Math.min(length - at, ChunkWriter.BULK) + 1);
            byte[] piece = new byte[count];
            random.nextBytes(piece);
            mixture.xor(at, piece, count);
            for (int i = 0; i < count; i++) {
                expected[at + i] ^= piece[i];
            }
        }

        FileBlob content = mixture.content();
        assertThat(content.toBytes()).isEqualTo(expected);
        assertThat(content.digest()).isEqualTo(Digest.of(expected, length));
    }

    @Test
    void open_anotherContent_namesTheDamage() throws IOException {
        ParityFile mixture = new ParityFile(3, files(), ID);
        mixture.xor(0, new byte[] {1, 2, 3}, 3);
        FileBlob content = mixture.content();
        String file = content.path().getFileName().toString();
        ContentName name = ContentName.parse(file).orElseThrow();

        assertThat(LocalFile.open(files(), name, ID, 3, content.digest()).toBytes())
                .containsExactly(1, 2, 3);
        assertThatThrownBy(() -> LocalFile.open(files(), name, ID, 3, 5))
                .isInstanceOf(IOException.class)
                .hasMessage(file + " is damaged: digest of the content");
        assertThatThrownBy(() -> LocalFile.open(files(), name, ID, 4, content.digest()))
                .isInstanceOf(IOException.class)
                .hasMessage(file + " is damaged: 3 bytes (expected: 4)");
        CheckpointId other = new CheckpointId("i", 3, 7, 71);
        assertThatThrownBy(() -> LocalFile.open(files(), name, other, 3, content.digest()))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(file + " belongs to another checkpoint than ");
    }

    @Test
    void release_leavesNothing() throws IOException {
        new ParityFile(100, files(), ID).release();
        FileBlob used = new ParityFile(100, files(), ID).content();
        used.release();

        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
    }

    private ContentFiles files() {
        return new ContentFiles(List.of(directory));
    }
}
