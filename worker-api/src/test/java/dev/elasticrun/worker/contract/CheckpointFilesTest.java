/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CheckpointFilesTest {
    @TempDir
    private Path directory;

    private CheckpointFiles files;

    @BeforeEach
    void make() {
        files = new CheckpointFiles(List.of(directory.resolve("memory"), directory.resolve("disk")));
    }

    @Test
    void receive_wholeFile_isHeld() throws IOException {
        byte[] bytes = header("run", 3, 7);

        receive("1", bytes, bytes.length);

        assertThat(files.held("run")).singleElement().satisfies(held -> {
            assertThat(held.name()).isEqualTo("1");
            assertThat(held.id()).isEqualTo(new CheckpointId("run", 3, 7, 70));
            assertThat(Files.readAllBytes(held.path())).isEqualTo(bytes);
        });
    }

    @Test
    void newest_isOfTheLatestWorld() throws IOException {
        receive("0", header("run", 3, 8), header("run", 3, 8).length);
        receive("1", header("run", 5, 7), header("run", 5, 7).length);

        assertThat(files.newest("run")).contains(new CheckpointId("run", 5, 7, 70));
        assertThat(files.newest("another")).isEmpty();
    }

    @Test
    void receive_thatBreaksOff_leavesWhatWasThere() throws IOException {
        byte[] before = header("run", 3, 7);
        receive("1", before, before.length);

        assertThatThrownBy(() -> receive("1", header("run", 3, 9), before.length + 10))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(before.length + " of " + (before.length + 10));

        assertThat(files.newest("run")).contains(new CheckpointId("run", 3, 7, 70));
        assertThat(names()).containsExactly("1");
    }

    @Test
    void receive_whatIsNoCheckpoint_leavesWhatWasThere() throws IOException {
        byte[] before = header("run", 3, 7);
        receive("1", before, before.length);

        assertThatThrownBy(() -> receive("1", new byte[100], 100)).isInstanceOf(IOException.class);

        assertThat(files.newest("run")).contains(new CheckpointId("run", 3, 7, 70));
        assertThat(names()).containsExactly("1");
    }

    @Test
    void receive_moreThanWasStated_isRefused() {
        byte[] bytes = header("run", 3, 7);

        assertThatThrownBy(() -> receive("1", bytes, bytes.length - 1)).isInstanceOf(IOException.class);
        assertThat(files.held("run")).isEmpty();
    }

    @Test
    void receive_olderThanWhatCameMeanwhile_isDropped() throws IOException {
        byte[] older = header("run", 3, 7);
        byte[] newer = header("run", 3, 9);

        try (CheckpointFiles.Incoming slow = files.receive("1", older.length)) {
            slow.write(ByteBuffer.wrap(older));
            receive("1", newer, newer.length);
            assertThat(slow.complete()).isFalse();
        }

        assertThat(files.newest("run")).contains(new CheckpointId("run", 3, 9, 90));
        assertThat(names()).containsExactly("1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "../1", "/etc/passwd", "1.tmp", "1.2.3", "-1", "head", "1.x-1.local", "1.a-1.local.tmp"})
    void receive_otherNames_areRefused(String name) {
        assertThatThrownBy(() -> files.receive(name, 10))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("slot.localRank");
    }

    @Test
    void held_filesThatAreNoCheckpoints_areLeftOut() throws IOException {
        Path memory = Files.createDirectories(directory.resolve("memory"));
        Files.writeString(memory.resolve("0"), "text");
        Files.write(memory.resolve("1.tmp"), header("run", 3, 7));

        assertThat(files.held("run")).isEmpty();
    }

    @Test
    void held_contents_areBeforeTheFilesThatReferToThem() throws IOException {
        String content = "7.abc-1.local";
        receive("1.0", header("run", 3, 7), header("run", 3, 7).length);
        receive(content, header("run", 3, 7), header("run", 3, 7).length);

        assertThat(files.held("run")).extracting(CheckpointFiles.Held::name).containsExactly(content, "1.0");
    }

    @Test
    void contentsOfWhatIsBeingWritten_areNotHeld() throws IOException {
        receive("1.0", header("run", 3, 7), header("run", 3, 7).length);
        receive("8.abc-2.local", header("run", 3, 8), header("run", 3, 8).length);

        assertThat(files.held("run")).extracting(CheckpointFiles.Held::name).containsExactly("1.0");
        assertThat(files.newest("run")).contains(new CheckpointId("run", 3, 7, 70));
    }

    @Test
    void removeContents_thoseOfVersionsWithoutAFile_areDeleted() throws IOException {
        receive("1.0", header("run", 3, 7), header("run", 3, 7).length);
        for (long version : List.of(5L, 6L, 7L, 8L)) {
            receive(version + ".abc-1.local", header("run", 3, version), header("run", 3, version).length);
        }

        files.removeContents(7);

        assertThat(names()).containsExactlyInAnyOrder("1.0", "7.abc-1.local", "8.abc-1.local");
    }

    private void receive(String name, byte[] bytes, long length) throws IOException {
        try (CheckpointFiles.Incoming incoming = files.receive(name, length)) {
            incoming.write(ByteBuffer.wrap(bytes));
            incoming.complete();
        }
    }

    private List<String> names() throws IOException {
        try (Stream<Path> entries = Files.list(directory.resolve("memory"))) {
            return entries.map(path -> String.valueOf(path.getFileName())).toList();
        }
    }

    /** Without parts. */
    private static byte[] header(String incarnation, long world, long version) {
        byte[] name = incarnation.getBytes(StandardCharsets.UTF_8);
        ByteBuffer out = ByteBuffer.allocate(CheckpointHeader.FIXED + name.length + Integer.BYTES);
        out.put(CheckpointHeader.magic()).putInt(name.length);
        out.putLong(world).putLong(version).putLong(version * 10);
        out.putInt(1).putInt(0).putLong(world).putInt(0);
        out.put(name);
        out.putInt(CheckpointHeader.crc(out));
        return out.array();
    }
}
