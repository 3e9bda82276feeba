/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.contract.CheckpointSpace;
import dev.elasticrun.worker.internal.net.Digest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CheckpointFileTest {
    private static final byte[] CONTENT = {1, 2, 3, 4, 5};

    private static final CheckpointRetention TWO = new CheckpointRetention(2);

    private final CheckpointStore checkpointStore = new CheckpointStore(2, new ContentFiles(List.of()));
    private final ContentPool pool = checkpointStore.pool();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void keep_moreVersionsThanStay_theNewestAreReadNewestFirst(int kept) {
        CheckpointRetention retention = new CheckpointRetention(kept);
        keep(retention, LongStream.rangeClosed(1, 9).toArray());
        List<Checkpoint> found = read("i", retention);
        assertThat(found)
                .extracting(checkpoint -> checkpoint.id().version())
                .containsExactlyElementsOf(List.of(9L, 8L, 7L, 6L).subList(0, kept));
        assertThat(found.get(0).id()).isEqualTo(id(9));
        assertThat(found.get(0).global(pool).content().toBytes()).isEqualTo(CONTENT);
        assertThat(found.get(0).worldSize()).isEqualTo(7);
        assertThat(read("other", retention)).isEmpty();
    }

    @Test
    void read_noDirectory_findsNothing() {
        assertThat(read("i", TWO)).isEmpty();
    }

    @Test
    void write_severalParts_areReadBack() throws IOException {
        byte[] big = new byte[1_000_000];
        new Random(1).nextBytes(big);
        Path path = directory.resolve("parts");
        List<StatePart> parts = List.of(part(3, CONTENT), part(4, big), part(5, new byte[0]));
        new CheckpointFile(id(1), 9, 4, 12, true, parts).write(CheckpointSpace.of(directory), path, true, () -> false);
        CheckpointFile found = CheckpointFile.read(path, pool);
        assertThat(found.worldSize()).isEqualTo(9);
        assertThat(found.place()).isEqualTo(4);
        assertThat(found.keeperWorld()).isEqualTo(12);
        assertThat(found.hasLocals()).isTrue();
        assertThat(found.parts()).extracting(StatePart::owner).containsExactly(3, 4, 5);
        assertThat(found.parts()).extracting(StatePart::keeper).containsExactly(13, 14, 15);
        assertThat(found.parts()).allMatch(StatePart::isOwn);
        assertThat(found.parts().get(1).digest()).isEqualTo(Digest.of(big, big.length));
        assertThat(found.parts().get(1).content().toBytes()).isEqualTo(big);
    }

    @Test
    void keep_localStates_areReadBackByTheirSlot() {
        try (CheckpointWriter writer = new CheckpointWriter()) {
            NodeFiles files = new NodeFiles(List.of(directory), writer, CheckpointOptions.STANDARD, TWO);
            files.keep(checkpoint(1), 0, checkpointStore);
            Checkpoint mine = checkpoint(1);
            mine.keep(4, 6, List.of(part(6, CONTENT), part(5, new byte[9])));
            new NodeFiles(List.of(directory), writer, CheckpointOptions.STANDARD, TWO).keep(mine, 1, checkpointStore);
        }
        try (CheckpointWriter writer = new CheckpointWriter()) {
            NodeFiles files = new NodeFiles(List.of(directory), writer, CheckpointOptions.STANDARD, TWO);
            Checkpoint same = files.read("i", 1, 2, checkpointStore).get(0);
            assertThat(same.locals()).extracting(StatePart::owner).containsExactly(6, 5);
            assertThat(same.place()).isEqualTo(6);
            assertThat(same.keeperWorld()).isEqualTo(4);
            assertThat(files.read("i", 0, 2, checkpointStore).get(0).locals()).isEmpty();
            assertThat(files.read("i", 0, 1, checkpointStore).get(0).locals())
                    .as("of a slot that is no more")
                    .hasSize(2);
        }
    }

    @Test
    void read_anyDamage_isNoticed() throws IOException {
        keep(TWO, 2);
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
        keep(TWO, 1, 2);
        Files.write(directory.resolve("0"), new byte[100]);
        assertThat(read("i", TWO)).extracting(Checkpoint::id).containsExactly(id(1));
    }

    @Test
    void keep_directoryCannotBeMade_costsNoStep() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "not a directory");
        try (CheckpointWriter writer = new CheckpointWriter()) {
            new NodeFiles(List.of(file), writer, CheckpointOptions.STANDARD, TWO)
                    .keep(checkpoint(1), 0, checkpointStore);
        }
        assertThat(file).hasContent("not a directory");
    }

    @Test
    void write_fails_leavesNothingBehindAndOnlyItsUserCanRead() throws IOException {
        Path made = directory.resolve("made");
        CheckpointSpace space = CheckpointSpace.of(made);
        Path path = made.resolve("0");
        CheckpointFile file = new CheckpointFile(id(1), 1, 0, 1, false, List.of(part(0, CONTENT)));
        file.write(space, path, false, () -> false);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                .isEqualTo("rwx------");
        Path inTheWay = Files.createDirectories(made.resolve("1"));
        Files.createFile(inTheWay.resolve("child"));
        assertThatThrownBy(() -> file.write(space, inTheWay, false, () -> false))
                .isInstanceOf(IOException.class);
        assertThat(made.resolve("1.tmp")).doesNotExist();
    }

    @Test
    void keep_firstPlaceIsFull_fileIsInTheSecondAndReadFromThere() throws IOException {
        Path first = directory.resolve("first");
        Path second = directory.resolve("second");
        try (CheckpointWriter writer = new CheckpointWriter()) {
            NodeFiles files = new NodeFiles(List.of(first, second), writer, CheckpointOptions.STANDARD, TWO);
            keep(files, writer, 1);
            keep(files, writer, 2);
            // No directory can be made of it any more: as if nothing had room there.
            Files.move(first, directory.resolve("away"));
            Files.writeString(first, "full");
            keep(files, writer, 3);
            Files.delete(first);
            Files.move(directory.resolve("away"), first);
            assertThat(second.resolve("1")).exists();
            assertThat(files.read("i", 0, 1, checkpointStore))
                    .as("three whole files")
                    .extracting(Checkpoint::id)
                    .containsExactly(id(3), id(2));
            keep(files, writer, 4);
            keep(files, writer, 5);
            assertThat(second.resolve("1"))
                    .as("older than the one in the first place")
                    .doesNotExist();
            assertThat(files.read("i", 0, 1, checkpointStore))
                    .extracting(Checkpoint::id)
                    .containsExactly(id(5), id(4));
        }
    }

    @Test
    void keep_writingNeedsMoreThanThereIs_isRefusedBeforehand() throws IOException {
        CheckpointSpace space = CheckpointSpace.of(directory);
        space.require(1);
        assertThatThrownBy(() -> space.require(Long.MAX_VALUE / 2))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("to spare");
    }

    private void keep(NodeFiles files, CheckpointWriter writer, long version) {
        files.keep(checkpoint(version), 0, checkpointStore);
        writer.drain(10_000);
    }

    private void keep(CheckpointRetention retention, long... versions) {
        try (CheckpointWriter writer = new CheckpointWriter()) {
            NodeFiles files = new NodeFiles(List.of(directory), writer, CheckpointOptions.STANDARD, retention);
            for (long version : versions) {
                files.keep(checkpoint(version), 0, checkpointStore);
                writer.drain(10_000);
            }
        }
    }

    @Test
    void keep_workerBecomesLocalRankZero_itWritesWhatTheNodeHas() throws IOException {
        try (CheckpointWriter writer = new CheckpointWriter()) {
            NodeFiles second = new NodeFiles(List.of(directory), writer, CheckpointOptions.STANDARD, TWO);
            second.keep(checkpoint(1), 1, checkpointStore);
            writer.drain(10_000);
            assertThat(read("i", TWO)).isEmpty();

            second.keep(checkpoint(1), 0, checkpointStore);
            writer.drain(10_000);
        }

        assertThat(read("i", TWO)).extracting(found -> found.id().version()).containsExactly(1L);
    }

    private List<Checkpoint> read(String incarnation, CheckpointRetention retention) {
        try (CheckpointWriter writer = new CheckpointWriter()) {
            return new NodeFiles(List.of(directory), writer, CheckpointOptions.STANDARD, retention)
                    .read(incarnation, 0, 1, checkpointStore);
        }
    }

    private Checkpoint checkpoint(long version) {
        return Checkpoint.copyOf(CONTENT, "i", 4, version, 7, pool, 1);
    }

    private StatePart part(int owner, byte[] bytes) {
        PooledBlob content = pool.take(bytes.length);
        return new StatePart(
                owner, 10 + owner, true, StateCopier.copy(bytes, content.buffer(), bytes.length, 1), content);
    }

    private static CheckpointId id(long version) {
        return new CheckpointId("i", 4, version, Digest.of(CONTENT, CONTENT.length));
    }
}
