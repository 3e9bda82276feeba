/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.internal.engine.TestCluster;
import dev.elasticrun.worker.internal.engine.TestWorker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may talk to a worker. */
@Timeout(60)
final class HandshakeTest {
    @TempDir
    private Path directory;

    @Test
    void call_otherKey_isRefusedAndTheRoundStillForms() throws Exception {
        byte[] other = "other".getBytes(StandardCharsets.US_ASCII);
        try (TestCluster cluster = new TestCluster(directory, 2);
                TestWorker foreigner =
                        new TestWorker(directory.resolve("x"), other, TestWorker.waits(Duration.ofSeconds(20)));
                TestCluster threads = new TestCluster(directory, 0)) {
            PeerTable table = TestCluster.table(1, cluster.workers);
            List<Future<Collective>> foreign = threads.startEach(1, any -> foreigner.join(table, 1));
            assertThat(cluster.run(1, cluster.workers, Collective::worldSize)).containsOnly(2);
            assertThat(foreign.get(0)).isNotDone();
        }
    }

    @Test
    void call_otherIncarnation_isRefused() throws Exception {
        try (TestWorker worker = new TestWorker(directory)) {
            assertThatThrownBy(() -> call(worker, new Handshake(TestWorker.KEY, "i2"), 1))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void call_olderRound_isAnsweredSo() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 1)) {
            cluster.run(5, cluster.workers, Collective::round);
            Handshake handshake = new Handshake(TestWorker.KEY, TestWorker.INCARNATION);
            try (SocketChannel channel = call(cluster.workers.get(0), handshake, 4)) {
                ByteBuffer verdict = ByteBuffer.allocate(1);
                assertThat(channel.read(verdict)).isEqualTo(1);
                assertThat(verdict.get(0)).isEqualTo((byte) Handshake.OLD_ROUND);
            }
        }
    }

    @Test
    void connection_thatSpeaksGarbage_isClosed() throws Exception {
        try (TestWorker worker = new TestWorker(directory);
                SocketChannel channel =
                        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), worker.port))) {
            channel.write(StandardCharsets.US_ASCII.encode("GET / HTTP/1.1\r\nHost: worker\r\n\r\n"));
            assertThat(isEnded(channel)).isTrue();
        }
    }

    @Test
    void connection_thatSendsNothing_isClosedAfterAWhile() throws Exception {
        try (TestWorker worker = new TestWorker(directory);
                SocketChannel channel =
                        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), worker.port))) {
            channel.configureBlocking(false);
            await().pollInterval(Duration.ofMillis(10)).until(() -> {
                worker.plane.tick(System.nanoTime() + Duration.ofSeconds(6).toNanos());
                return channel.read(ByteBuffer.allocate(1)) < 0;
            });
        }
    }

    private static SocketChannel call(TestWorker worker, Handshake handshake, long round) throws IOException {
        SocketChannel channel =
                SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), worker.port));
        handshake.call(new SocketWire(channel), new Hello(false, handshake.incarnation(), round, 1, 0, worker.port));
        return channel;
    }

    private static boolean isEnded(SocketChannel channel) {
        try {
            return channel.read(ByteBuffer.allocate(64)) < 0;
        } catch (IOException e) {
            return true;
        }
    }
}
