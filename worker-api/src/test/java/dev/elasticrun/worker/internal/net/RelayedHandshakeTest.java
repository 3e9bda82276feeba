/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.contract.ListenPlace;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.internal.engine.TestCluster;
import dev.elasticrun.worker.internal.engine.TestWorker;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Somebody without the key listens where a worker was, and has another worker prove for it. */
@Timeout(30)
final class RelayedHandshakeTest {
    @TempDir
    private Path directory;

    @Test
    void listener_passesCallsOnToAnotherWorker_isNotTakenIntoItsSeat() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 1);
                Relay relay = new Relay(cluster.workers.get(0).port)) {
            cluster.startOne(relay::run);
            PeerDialer dialer = new PeerDialer(new SocketNetwork(ListenPlace.LOOPBACK), handshake(), 1, 2, "caller");
            PeerTable.Peer dead = new PeerTable.Peer(0, "n0", "127.0.0.1", relay.port());
            Future<Wire> call = cluster.startOne(() -> dialer.dial(dead));
            await().until(() -> relay.calls.get() >= 3 || call.isDone());
            assertThat(call).isNotDone();
            assertThat(dialer.isAlive(dead)).isFalse();
            await().until(() -> cluster.workers.get(0).plane.refusedConnections() >= 3);
            dialer.close();
            assertThatThrownBy(call::get).hasRootCauseInstanceOf(IOException.class);
        }
    }

    /** At the same port of another host, for example. */
    @Test
    void worker_calledForASeatThatIsNotItsOwn_doesNotProveAnything() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 1)) {
            TestWorker worker = cluster.workers.get(0);
            PeerDialer early = new PeerDialer(new SocketNetwork(ListenPlace.LOOPBACK), handshake(), 4, 2, "caller");
            PeerDialer present = new PeerDialer(new SocketNetwork(ListenPlace.LOOPBACK), handshake(), 4, 2, "caller");
            PeerTable.Peer wrong = new PeerTable.Peer(1, "n1", "127.0.0.1", worker.port);
            Future<Wire> held = cluster.startOne(() -> early.dial(wrong));
            cluster.run(4, cluster.workers, Collective::round);
            await().until(() -> worker.plane.refusedConnections() >= 2);
            assertThat(held).isNotDone();
            assertThat(present.isAlive(wrong)).isFalse();
            assertThat(present.isAlive(new PeerTable.Peer(0, "n0", "127.0.0.1", worker.port)))
                    .isTrue();
            early.close();
        }
    }

    private static Handshake handshake() {
        return new Handshake(TestWorker.KEY, TestWorker.INCARNATION);
    }

    /** Passes everything on in both directions; sends "accepted" itself when the worker sends nothing more. */
    private static final class Relay implements AutoCloseable {
        private final ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final int target;
        final AtomicInteger calls = new AtomicInteger();

        private Relay(int target) throws IOException {
            this.target = target;
        }

        int port() {
            return door.getLocalPort();
        }

        Void run() throws IOException {
            while (true) {
                try (Socket caller = door.accept();
                        Socket worker = new Socket(InetAddress.getLoopbackAddress(), target)) {
                    pass(caller, worker);
                } catch (IOException e) {
                    if (door.isClosed()) {
                        return null;
                    }
                }
                calls.incrementAndGet();
            }
        }

        private static void pass(Socket caller, Socket worker) throws IOException {
            caller.setSoTimeout(20);
            worker.setSoTimeout(20);
            for (boolean isTalking = true; isTalking; ) {
                boolean isCalling = pass(caller.getInputStream(), worker);
                isTalking = pass(worker.getInputStream(), caller) || isCalling;
            }
            byte[] accepted = new byte[33];
            accepted[0] = Handshake.ACCEPTED;
            caller.getOutputStream().write(accepted);
        }

        private static boolean pass(InputStream from, Socket to) throws IOException {
            byte[] stated = new byte[1000];
            try {
                int length = from.read(stated);
                if (length > 0) {
                    to.getOutputStream().write(stated, 0, length);
                }
                return length > 0;
            } catch (SocketTimeoutException e) {
                return false;
            }
        }

        @Override
        public void close() throws IOException {
            door.close();
        }
    }
}
