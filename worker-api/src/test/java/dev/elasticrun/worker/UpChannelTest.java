/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.contract.UpMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages that cannot be written when they are sent. A directory that is not there stands for one that is full. */
@Tag("once")
final class UpChannelTest {
    @TempDir
    private Path node;

    private TestAgent agent;
    private UpChannel channel;

    @BeforeEach
    void open() throws IOException {
        agent = new TestAgent(node, 0);
        channel = new UpChannel(agent.layout.up());
    }

    @AfterEach
    void close() {
        agent.close();
    }

    @Test
    void send_cannotBeWritten_isSentLaterInOrder() throws IOException {
        channel.send(new UpMessage.Ready(1));
        Path away = hide();
        channel.send(ack(1));
        channel.send(new UpMessage.PeerLost(1, 3));
        channel.retry();
        show(away);
        channel.retry();
        channel.send(ack(2));
        assertThat(agent.up()).containsExactly(new UpMessage.Ready(1), ack(1), new UpMessage.PeerLost(1, 3), ack(2));
    }

    @Test
    void send_cannotBeNamed_leavesNoFileAndNoGap() throws IOException {
        Path inTheWay =
                Files.createDirectories(agent.layout.up().resolve("1.json").resolve("child"));
        channel.send(ack(1));
        assertThat(agent.layout.up().resolve("1.tmp")).doesNotExist();
        Files.delete(inTheWay);
        Files.delete(inTheWay.getParent());
        channel.send(ack(2));
        assertThat(agent.up()).containsExactly(ack(1), ack(2));
    }

    @Test
    void send_manyCannotBeWritten_oldestProgressAndAtLastOldestMessagesGo() throws IOException {
        Path away = hide();
        channel.send(new UpMessage.Ready(1));
        channel.send(new UpMessage.Progress(1, 9, 0));
        channel.send(ack(0));
        channel.send(new UpMessage.Progress(2, 9, 0));
        show(away);
        channel.retry();
        assertThat(agent.up()).containsExactly(new UpMessage.Ready(1), ack(0), new UpMessage.Progress(2, 9, 0));
        away = hide();
        LongStream.rangeClosed(0, UpChannel.MAX_WAITING).forEach(seq -> channel.send(ack(seq)));
        show(away);
        channel.retry();
        List<UpMessage.Ack> acks = agent.up(UpMessage.Ack.class);
        assertThat(acks).hasSize(1 + UpChannel.MAX_WAITING).element(1).isEqualTo(ack(1));
    }

    private Path hide() throws IOException {
        return Files.move(agent.layout.up(), node.resolve("away"));
    }

    private void show(Path away) throws IOException {
        Files.move(away, agent.layout.up());
    }

    private static UpMessage.Ack ack(long seq) {
        return new UpMessage.Ack(seq, 0, 5);
    }
}
