/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.Head;
import dev.elasticrun.worker.contract.MessageCodec;
import dev.elasticrun.worker.contract.PauseKind;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileChannelWriterTest {
    @TempDir
    Path node;

    private ChannelLayout layout;

    @BeforeEach
    void directories() throws Exception {
        layout = ChannelLayout.of(node, 0, 0);
        Files.createDirectories(layout.events());
    }

    @Test
    void publish_event_isWholeAndTheHeadNamesIt() throws Exception {
        WorkerEvent event = pause(1, 7);
        try (FileChannelWriter writer = FileChannelWriter.open(layout)) {
            writer.publish(event);
            writer.leaseDeadline(123);
            writer.sealedRound(8);
        }

        assertThat(MessageCodec.decodeEvent(Files.readAllBytes(layout.event(1))))
                .isEqualTo(event);
        try (Head head = Head.open(layout.head())) {
            assertThat(head.seq()).isEqualTo(1);
            assertThat(head.round()).isEqualTo(7);
            assertThat(head.state()).isEqualTo(WorkerState.PAUSED);
            assertThat(head.leaseDeadlineNanos()).isEqualTo(123);
            assertThat(head.sealedRound()).isEqualTo(8);
        }
    }

    @Test
    void publish_manyEvents_keepsTheLastOnes() throws Exception {
        try (FileChannelWriter writer = FileChannelWriter.open(layout)) {
            for (int seq = 1; seq <= 100; seq++) {
                writer.publish(pause(seq, seq));
            }
        }

        try (Stream<Path> files = Files.list(layout.events())) {
            assertThat(files).hasSize(64);
        }
        assertThat(layout.event(36)).doesNotExist();
        assertThat(layout.event(37)).exists();
        assertThat(layout.event(100)).exists();
    }

    @Test
    void publish_wrongNumber_isRefused() throws Exception {
        try (FileChannelWriter writer = FileChannelWriter.open(layout)) {
            assertThatThrownBy(() -> writer.publish(pause(2, 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("seq: 2 (expected: 1)");
        }
    }

    @Test
    void peerTables_severalRounds_keepsTheLastThree() throws Exception {
        PeerTableWriter writer = new PeerTableWriter(node);
        for (long round : List.of(3L, 4L, 8L, 9L, 10L)) {
            writer.write(new PeerTable(round, List.of(new PeerTable.Peer(0, "n", "h", 1234))));
        }

        try (Stream<Path> files = Files.list(node.resolve("peers"))) {
            assertThat(files).containsExactlyInAnyOrder(layout.peers(8), layout.peers(9), layout.peers(10));
        }
        assertThat(PeerTable.decode(Files.readAllBytes(layout.peers(10))).round())
                .isEqualTo(10);
    }

    private static WorkerEvent pause(long seq, long round) {
        return new WorkerEvent(
                seq,
                Instant.EPOCH,
                new WorkerEvent.RoundId("run", "inc", round, 1),
                new WorkerEvent.Change(WorkerState.PAUSED, null, PauseKind.CHANGE, "a test"),
                null,
                0);
    }
}
