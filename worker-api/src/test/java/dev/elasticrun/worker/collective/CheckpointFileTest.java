/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.worker.contract.CheckpointId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CheckpointFileTest {
    private static final byte[] CONTENT = {1, 2, 3, 4, 5};

    private final ContentPool pool = new ContentPool();

    @TempDir
    private Path directory;

    @Test
    void keep_severalVersions_theTwoNewestAreReadNewestFirst() {
        keep(1, 2, 3);
        List<CheckpointFile> found = read("i");
        assertThat(found).extracting(CheckpointFile::id).containsExactly(id(3), id(2));
        assertThat(found.get(0).parts().get(0).content().toBytes()).isEqualTo(CONTENT);
        assertThat(found.get(0).worldSize()).isEqualTo(7);
        assertThat(read("other")).isEmpty();
    }

    @Test
    void read_noDirectory_findsNothing() {
        assertThat(read("i")).isEmpty();
    }

    @Test
    void write_severalParts_areReadBack() throws IOException {
        byte[] big = new byte[1_000_000];
        new Random(1).nextBytes(big);
        Path path = directory.resolve("parts");
        List<Part> parts = List.of(part(3, CONTENT), part(4, big), part(5, new byte[0]));
        new CheckpointFile(id(1), 9, 4, parts).write(path, true);
        CheckpointFile found = CheckpointFile.read(path, pool);
        assertThat(found.worldSize()).isEqualTo(9);
        assertThat(found.keeper()).isEqualTo(4);
        assertThat(found.parts()).extracting(Part::owner).containsExactly(3, 4, 5);
        assertThat(found.parts().get(1).digest()).isEqualTo(Digest.of(big, big.length));
        assertThat(found.parts().get(1).content().toBytes()).isEqualTo(big);
    }

    @Test
    void read_anyDamage_isNoticed() throws IOException {
        keep(2);
        Path path = directory.resolve("0");
        byte[] whole = Files.readAllBytes(path);
        for (int at = 0; at < whole.length; at++) {
            byte[] flipped = whole.clone();
            flipped[at] ^= 0x40;
            Files.write(path, flipped);
            assertThatThrownBy(() -> CheckpointFile.read(path, pool))
                    .as("byte %d", at)
                    .isInstanceOf(IOException.class);
            Files.write(path, Arrays.copyOf(whole, at));
            assertThatThrownBy(() -> CheckpointFile.read(path, pool))
                    .as("cut at %d", at)
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void read_oneIsDamaged_theOtherIsUsed() throws IOException {
        keep(1, 2);
        Files.write(directory.resolve("0"), new byte[100]);
        assertThat(read("i")).extracting(CheckpointFile::id).containsExactly(id(1));
    }

    @Test
    void keep_directoryCannotBeMade_costsNoStep() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "not a directory");
        try (CheckpointWriter writer = new CheckpointWriter()) {
            new NodeFiles(file, writer).keep(checkpoint(1), 0);
        }
        assertThat(file).hasContent("not a directory");
    }

    private void keep(long... versions) {
        try (CheckpointWriter writer = new CheckpointWriter()) {
            NodeFiles files = new NodeFiles(directory, writer);
            for (long version : versions) {
                files.keep(checkpoint(version), 0);
                writer.drain(10_000);
            }
        }
    }

    private List<CheckpointFile> read(String incarnation) {
        try (CheckpointWriter writer = new CheckpointWriter()) {
            return new NodeFiles(directory, writer).read(incarnation, pool);
        }
    }

    private Checkpoint checkpoint(long version) {
        return Checkpoint.copyOf(CONTENT, "i", 4, version, 7, pool);
    }

    private Part part(int owner, byte[] bytes) {
        Content content = pool.take(bytes.length);
        return new Part(owner, Digest.copy(bytes, content.buffer(), bytes.length), content);
    }

    private static CheckpointId id(long version) {
        return new CheckpointId("i", 4, version, Digest.of(CONTENT, CONTENT.length));
    }
}
