/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.internal.engine.ForwardingWire;
import dev.elasticrun.worker.internal.engine.Mutations;
import dev.elasticrun.worker.internal.engine.TestCluster;
import dev.elasticrun.worker.internal.engine.TestWorker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Strangers call while a round works: each is refused and counted, and the round does not notice. */
@Timeout(60)
final class HandshakeFuzzTest {
    private static final int CALLS = 3000;
    private static final int SILENT = 200;
    private static final int BYTES_OF_HELLO = 29 + TestWorker.INCARNATION.length();

    @TempDir
    private Path directory;

    @Test
    void strangers_anythingSent_areRefusedBesideAHealthyRound() throws Exception {
        byte[] real = recordedCall();
        Random random = new Random(7);
        List<SocketChannel> silent = new ArrayList<>();
        AtomicBoolean isOver = new AtomicBoolean();
        try (TestCluster cluster = new TestCluster(directory, 3)) {
            List<Future<Integer>> round = cluster.start(1, cluster.workers, collective -> work(collective, isOver));
            TestWorker target = cluster.workers.get(0);
            for (int i = 0; i < CALLS; i++) {
                SocketChannel caller = shout(target, i % 10 == 0 ? real : Mutations.mutate(real, random));
                if (i < SILENT) {
                    silent.add(caller);
                } else {
                    caller.close();
                }
            }
            // A reader of the counter: whoever is still in a handshake is thrown out after a while.
            await().pollInterval(Duration.ofMillis(10)).until(() -> {
                target.plane.tick(System.nanoTime() + Duration.ofSeconds(6).toNanos());
                return target.plane.refusedConnections() >= CALLS * 9 / 10 && handshakes() == 0;
            });
            isOver.set(true);
            assertThat(TestCluster.results(round)).allMatch(operations -> operations > 0);
            assertThat(target.plane.refusedConnections()).isLessThanOrEqualTo(CALLS);
            assertThat(target.control.reports())
                    .noneMatch(report -> report.toString().contains("PeerLost"));
        } finally {
            for (SocketChannel channel : silent) {
                channel.close();
            }
        }
    }

    /** Whoever knows the key but wants another rank has an old table: it gets no proof, and disturbs nobody. */
    @Test
    void caller_ofAnotherRank_isNotTakenForAPeer() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 2)) {
            Handshake handshake = new Handshake(TestWorker.KEY, TestWorker.INCARNATION);
            SocketChannel channel = open(cluster.workers.get(0));
            handshake.call(
                    new SocketWire(channel),
                    new Hello(false, TestWorker.INCARNATION, 1, 1, 5, cluster.workers.get(0).port));
            assertThat(cluster.run(1, cluster.workers, Collective::worldSize)).containsOnly(2);
            assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            channel.close();
        }
    }

    private static int work(Collective collective, AtomicBoolean isOver) {
        int operations = 0;
        long[] goOn = {1};
        while (goOn[0] > 0) {
            double[] ones = new double[1000];
            Arrays.fill(ones, 1);
            collective.allReduce(ones, ReduceOp.SUM);
            assertThat(ones).containsOnly(collective.worldSize());
            goOn[0] = isOver.get() ? 0 : 1;
            collective.allReduce(goOn, ReduceOp.MIN);
            operations++;
        }
        return operations;
    }

    /** Everything that a real caller sends, in one piece: its proof is for another listener's number. */
    private byte[] recordedCall() throws IOException {
        ByteArrayOutputStream stated = new ByteArrayOutputStream();
        try (TestWorker worker = new TestWorker(directory.resolve("recorded"));
                SocketWire real = new SocketWire(open(worker))) {
            new Handshake(TestWorker.KEY, TestWorker.INCARNATION)
                    .call(
                            new RecordingWire(real, stated),
                            new Hello(false, TestWorker.INCARNATION, 1, 1, 0, worker.port));
        }
        assertThat(stated.size()).isGreaterThan(BYTES_OF_HELLO);
        return stated.toByteArray();
    }

    private static SocketChannel shout(TestWorker target, byte[] bytes) throws IOException {
        SocketChannel channel = open(target);
        try {
            channel.write(ByteBuffer.wrap(bytes));
        } catch (IOException e) {
            // It was thrown out in the middle of a word.
        }
        return channel;
    }

    private static SocketChannel open(TestWorker worker) throws IOException {
        SocketChannel channel =
                SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), worker.port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return channel;
    }

    private static long handshakes() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("peer-handshake"))
                .count();
    }

    private static final class RecordingWire extends ForwardingWire {
        private final ByteArrayOutputStream stated;

        private RecordingWire(Wire wire, ByteArrayOutputStream stated) {
            super(wire);
            this.stated = stated;
        }

        @Override
        public void write(ByteBuffer... parts) throws IOException {
            for (ByteBuffer part : parts) {
                byte[] bytes = new byte[part.remaining()];
                part.duplicate().get(bytes);
                stated.write(bytes);
            }
            super.write(parts);
        }
    }
}
