/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.contract.ListenPlace;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.internal.net.Handshake;
import dev.elasticrun.worker.internal.net.PeerDialer;
import dev.elasticrun.worker.internal.net.PeerWatch;
import dev.elasticrun.worker.internal.net.SocketNetwork;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A peer behind a broken link: its address may take calls, and nothing ever comes back. */
@Timeout(60)
final class SilentPeerTest {
    @TempDir
    private Path directory;

    @Test
    void peerTakesCallsButAnswersNone_isLostWhenTheTimeoutIsOver() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 1);
                ServerSocket mute = new ServerSocket(0)) {
            TestWorker worker = cluster.workers.get(0);
            PeerTable.Peer itself =
                    TestCluster.table(1, cluster.workers).peers().get(0);
            PeerTable table = new PeerTable(
                    1, List.of(itself, new PeerTable.Peer(1, "elsewhere", "127.0.0.1", mute.getLocalPort())));
            List<Future<Collective>> futures = cluster.startEach(1, rank -> worker.join(table, 0));
            // The peer time-out of these workers is 20 s, of which the peer has the last 5 s to answer.
            long startNanos = System.nanoTime();
            try (Socket called = acceptWhile(
                    mute,
                    () -> worker.plane.tick(
                            startNanos + Duration.ofMillis(15_500).toNanos()))) {
                assertThat(called.isConnected()).isTrue();
                worker.plane.tick(startNanos + Duration.ofSeconds(19).toNanos());
                assertThat(worker.control.reports()).noneMatch(UpMessage.PeerLost.class::isInstance);

                worker.plane.tick(startNanos + Duration.ofSeconds(21).toNanos());
                await().until(() -> worker.control.reports().contains(new UpMessage.PeerLost(1, 1)));
            }
            assertThat(futures.get(0)).isNotDone();
        }
    }

    /** To log for the first time takes long where processors are short, and so it does behind a full pipe. */
    @Test
    void peerAnswers_butTheLogTakesLonger_isNotLost() throws Exception {
        AtomicLong now = new AtomicLong(Duration.ofHours(1).toNanos());
        List<Integer> lost = new CopyOnWriteArrayList<>();
        CountDownLatch logging = new CountDownLatch(1);
        CountDownLatch logged = new CountDownLatch(1);
        Logger logger = Logger.getLogger(PeerWatch.class.getName());
        Handler slow = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                logging.countDown();
                try {
                    logged.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(slow);
        try (TestCluster cluster = new TestCluster(directory, 2)) {
            PeerTable table = TestCluster.table(1, cluster.workers);
            PeerDialer dialer = new PeerDialer(
                    new SocketNetwork(ListenPlace.LOOPBACK),
                    new Handshake(TestWorker.KEY, TestWorker.INCARNATION),
                    1,
                    0,
                    "n0");
            PeerWatch watch = new PeerWatch(dialer, table, TestWorker.WAITS, lost::add, now::get);
            watch.look(1, Optional.empty(), now.addAndGet(Duration.ofSeconds(16).toNanos()));
            logging.await();

            watch.look(1, Optional.empty(), now.addAndGet(Duration.ofSeconds(6).toNanos()));
            assertThat(lost).isEmpty();
        } finally {
            logged.countDown();
            logger.removeHandler(slow);
        }
    }

    /** The first call, which a step that is repeated until then brings about. */
    private static Socket acceptWhile(ServerSocket server, Runnable step) throws IOException {
        server.setSoTimeout(50);
        while (true) {
            step.run();
            try {
                return server.accept();
            } catch (SocketTimeoutException e) {
                // The round has not begun yet.
            }
        }
    }
}
