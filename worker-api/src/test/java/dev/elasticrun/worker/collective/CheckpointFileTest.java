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

    private final CheckpointShelf shelf = new CheckpointShelf();
    private final ContentPool pool = shelf.pool();

    @TempDir
    private Path directory;

    @Test
    void keep_severalVersions_theTwoNewestAreReadNewestFirst() {
        keep(1, 2, 3);
        List<Checkpoint> found = read("i");
        assertThat(found).extracting(Checkpoint::id).containsExactly(id(3), id(2));
        assertThat(found.get(0).global(pool).content().toBytes()).isEqualTo(CONTENT);
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
        new CheckpointFile(id(1), 9, 4, 12, parts).write(path, true);
        CheckpointFile found = CheckpointFile.read(path, pool);
        assertThat(found.worldSize()).isEqualTo(9);
        assertThat(found.place()).isEqualTo(4);
        assertThat(found.keeperWorld()).isEqualTo(12);
        assertThat(found.parts()).extracting(Part::owner).containsExactly(3, 4, 5);
        assertThat(found.parts()).extracting(Part::keeper).containsExactly(13, 14, 15);
        assertThat(found.parts()).allMatch(Part::isOwn);
        assertThat(found.parts().get(1).digest()).isEqualTo(Digest.of(big, big.length));
        assertThat(found.parts().get(1).content().toBytes()).isEqualTo(big);
    }

    @Test
    void keep_localStates_areReadBackByTheirSlot() {
        try (CheckpointWriter writer = new CheckpointWriter()) {
            NodeFiles files = new NodeFiles(directory, writer, CheckpointOptions.STANDARD);
            files.keep(checkpoint(1), 0, pool);
            Checkpoint mine = checkpoint(1);
            mine.keep(4, 6, List.of(part(6, CONTENT), part(5, new byte[9])));
            new NodeFiles(directory, writer, CheckpointOptions.STANDARD).keep(mine, 1, pool);
        }
        try (CheckpointWriter writer = new CheckpointWriter()) {
            NodeFiles files = new NodeFiles(directory, writer, CheckpointOptions.STANDARD);
            Checkpoint same = files.read("i", 1, 2, shelf).get(0);
            assertThat(same.locals()).extracting(Part::owner).containsExactly(6, 5);
            assertThat(same.place()).isEqualTo(6);
            assertThat(same.keeperWorld()).isEqualTo(4);
            assertThat(files.read("i", 0, 2, shelf).get(0).locals()).isEmpty();
            assertThat(files.read("i", 0, 1, shelf).get(0).locals())
                    .as("of a slot that is no more")
                    .hasSize(2);
        }
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
        assertThat(read("i")).extracting(Checkpoint::id).containsExactly(id(1));
    }

    @Test
    void keep_directoryCannotBeMade_costsNoStep() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "not a directory");
        try (CheckpointWriter writer = new CheckpointWriter()) {
            new NodeFiles(file, writer, CheckpointOptions.STANDARD).keep(checkpoint(1), 0, pool);
        }
        assertThat(file).hasContent("not a directory");
    }

    private void keep(long... versions) {
        try (CheckpointWriter writer = new CheckpointWriter()) {
            NodeFiles files = new NodeFiles(directory, writer, CheckpointOptions.STANDARD);
            for (long version : versions) {
                files.keep(checkpoint(version), 0, pool);
                writer.drain(10_000);
            }
        }
    }

    private List<Checkpoint> read(String incarnation) {
        try (CheckpointWriter writer = new CheckpointWriter()) {
            return new NodeFiles(directory, writer, CheckpointOptions.STANDARD).read(incarnation, 0, 1, shelf);
        }
    }

    private Checkpoint checkpoint(long version) {
        return Checkpoint.copyOf(CONTENT, "i", 4, version, 7, pool, 1);
    }

    private Part part(int owner, byte[] bytes) {
        Content content = pool.take(bytes.length);
        return new Part(owner, 10 + owner, true, StateCopier.copy(bytes, content.buffer(), bytes.length, 1), content);
    }

    private static CheckpointId id(long version) {
        return new CheckpointId("i", 4, version, Digest.of(CONTENT, CONTENT.length));
    }
}
