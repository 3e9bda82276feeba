/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HeadTest {
    @TempDir
    private Path directory;

    @Test
    void create_nothingPublished_isPausedWithoutDeadline() throws IOException {
        Path file = directory.resolve("head");
        try (Head writer = Head.create(file);
                Head reader = Head.open(file)) {
            assertThat(Files.size(file)).isEqualTo(Head.SIZE);
            assertThat(reader.seq()).isZero();
            assertThat(reader.round()).isZero();
            assertThat(reader.state()).isEqualTo(WorkerState.PAUSED);
            assertThat(reader.leaseDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
            assertThat(writer.seq()).isZero();
        }
    }

    @Test
    void publish_isSeenThroughTheOtherMap() throws IOException {
        Path file = directory.resolve("head");
        try (Head writer = Head.create(file);
                Head reader = Head.open(file)) {
            writer.publish(7, 3, WorkerState.HEALTHY);
            writer.leaseDeadline(12345);
            assertThat(reader.seq()).isEqualTo(3);
            assertThat(reader.round()).isEqualTo(7);
            assertThat(reader.state()).isEqualTo(WorkerState.HEALTHY);
            assertThat(reader.leaseDeadlineNanos()).isEqualTo(12345);
            assertThat(reader.sealedRound()).isZero();
            writer.sealedRound(9);
            assertThat(reader.sealedRound()).isEqualTo(9);
            writer.publish(8, 4, WorkerState.PAUSED);
            assertThat(reader.state()).isEqualTo(WorkerState.PAUSED);
        }
    }

    @Test
    void publish_layout_isAsDocumented() throws IOException {
        Path file = directory.resolve("head");
        try (Head writer = Head.create(file)) {
            writer.publish(7, 3, WorkerState.HEALTHY);
            writer.leaseDeadline(12345);
            writer.sealedRound(9);
        }
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder());
        assertThat(new String(bytes.array(), 0, 8, StandardCharsets.US_ASCII)).isEqualTo("ELRHEAD1");
        assertThat(bytes.getLong(8)).isEqualTo(7);
        assertThat(bytes.getLong(16)).isEqualTo(3);
        assertThat(bytes.getLong(24)).isEqualTo(1);
        assertThat(bytes.getLong(32)).isEqualTo(12345);
        assertThat(bytes.getLong(40)).isEqualTo(9);
    }

    @Test
    void open_foreignFile_isRefused() throws IOException {
        Path file = Files.write(directory.resolve("head"), new byte[Head.SIZE]);
        assertThatThrownBy(() -> Head.open(file)).hasMessageContaining("not a head file");
        Files.write(file, new byte[3]);
        assertThatThrownBy(() -> Head.open(file)).hasMessageContaining("size 3 (expected: 64)");
    }
}
