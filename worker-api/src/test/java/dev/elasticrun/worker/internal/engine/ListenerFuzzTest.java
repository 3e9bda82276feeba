/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.contract.ListenPlace;
import dev.elasticrun.worker.internal.net.Hello;
import dev.elasticrun.worker.internal.net.Network;
import dev.elasticrun.worker.internal.net.SocketNetwork;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Strangers at a worker's port: they leave nothing behind, and the next round is a healthy one. {@code -Dfuzz.inputs=N}
 * sends as many inputs, {@code -Dfuzz.tls=N} as many to a port with TLS, {@code -Dfuzz.seed=N} begins with that one.
 */
@Tag("once")
@Timeout(value = 1, unit = TimeUnit.HOURS)
final class ListenerFuzzTest {
    private static final int INPUTS = Integer.getInteger("fuzz.inputs", 10_000);
    /** Fewer: each may cost a signature. */
    private static final int TLS_INPUTS = Integer.getInteger("fuzz.tls", 200);

    private static final long SEED = Long.getLong("fuzz.seed", 1);
    private static final int WARM_UP = 300;
    private static final int SLACK = 40;
    private static final long HEAP_SLACK_BYTES = 24L << 20;
    private static final int HANDSHAKE_MILLIS = 10_000;
    private static final long MIX = 0x9E3779B97F4A7C15L;

    @TempDir
    private Path directory;

    @Test
    void strangers_inPlainText_leaveNothingBehind() throws Exception {
        play(new SocketNetwork(ListenPlace.LOOPBACK), hello(), INPUTS);
    }

    @Test
    void strangers_beforeTls_leaveNothingBehind() throws Exception {
        play(TestTls.network("run"), clientHello(), TLS_INPUTS);
    }

    /** Whoever has a certificate of the run, but does not know its round, sends what no worker does. */
    @Test
    void strangers_withinTls_leaveNothingBehind() throws Exception {
        SSLSocketFactory sockets = TestTls.context("run").getSocketFactory();
        play(TestTls.network("run"), hello(), TLS_INPUTS, port -> {
            SSLSocket socket = (SSLSocket) sockets.createSocket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(HANDSHAKE_MILLIS);
            socket.startHandshake();
            return socket;
        });
    }

    /** Makes a connection over which an input is sent. */
    @FunctionalInterface
    private interface Connecting {
        Socket to(int port) throws IOException;
    }

    private void play(Network network, byte[] real, int inputs) throws Exception {
        play(network, real, inputs, port -> new Socket(InetAddress.getLoopbackAddress(), port));
    }

    private void play(Network network, byte[] real, int inputs, Connecting connecting) throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 0)) {
            cluster.workers.add(new TestWorker(network, directory));
            cluster.workers.add(new TestWorker(network, directory));
            TestWorker target = cluster.workers.get(0);
            assertThat(cluster.run(1, cluster.workers, Collective::worldSize)).containsOnly(2);
            send(target.port, connecting, real, SEED - WARM_UP, Math.min(WARM_UP, inputs));
            Held before = Held.now();
            long refused = target.plane.refusedConnections();
            try {
                send(target.port, connecting, real, SEED, inputs);
                // Whoever is still in a handshake is thrown out after a while.
                await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                    target.plane.tick(System.nanoTime() + Duration.ofSeconds(6).toNanos());
                    Held.now().requireAtMost(before);
                });
                cluster.workers.forEach(worker -> worker.pause(1));
                assertThat(cluster.run(2, cluster.workers, Collective::worldSize))
                        .containsOnly(2);
                // Some of the warm-up may be counted late.
                assertThat(target.plane.refusedConnections() - refused).isBetween(inputs / 4L, (long) inputs + WARM_UP);
            } catch (Exception | AssertionError e) {
                throw new AssertionError("after " + inputs + " inputs; again with -Dfuzz.seed=" + SEED, e);
            }
        }
    }

    /** One to a connection, as the listener hangs up on the first that is wrong. */
    private static void send(int port, Connecting connecting, byte[] real, long seed, int count) throws IOException {
        byte[] answer = new byte[4096];
        for (int i = 0; i < count; i++) {
            Random random = new Random((seed + i) * MIX);
            byte[] bytes = random.nextInt(10) == 0 ? real : Mutations.mutate(real, random);
            try (Socket socket = connecting.to(port)) {
                // No port stays behind in TIME_WAIT: there are fewer than inputs.
                socket.setSoLinger(true, 0);
                socket.setSoTimeout(100);
                send(socket, bytes, answer, random.nextInt(10) > 0);
            }
        }
    }

    /** Most wait until the listener hangs up, so that it has seen all. */
    private static void send(Socket socket, byte[] bytes, byte[] answer, boolean stays) {
        try {
            socket.getOutputStream().write(bytes);
            if (stays) {
                socket.shutdownOutput();
                InputStream in = socket.getInputStream();
                int read = 0;
                while (read >= 0) {
                    read = in.read(answer);
                }
            }
        } catch (IOException e) {
            // Hung up on, or not answered in time.
        }
    }

    private static byte[] hello() throws IOException {
        ByteArrayOutputStream stated = new ByteArrayOutputStream();
        new Hello(false, TestWorker.INCARNATION, 1, 1, 0, 40_000).write(new DataOutputStream(stated));
        stated.writeBytes("no proof, but as long as one is:".getBytes(StandardCharsets.US_ASCII));
        return stated.toByteArray();
    }

    /** What a caller of the run sends first. */
    private static byte[] clientHello() throws Exception {
        try (ServerSocket door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread caller = new Thread(() -> shake(door.getLocalPort()), "client-hello");
            caller.start();
            byte[] record = new byte[1 << 14];
            int length;
            try (Socket socket = door.accept()) {
                length = socket.getInputStream().read(record);
            }
            caller.join();
            return Arrays.copyOf(record, length);
        }
    }

    private static void shake(int port) {
        try (Socket socket =
                TestTls.context("run").getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(0);
        } catch (IOException e) {
            // Nobody answers.
        }
    }

    private record Held(int descriptors, int threads, long heapBytes) {
        static Held now() {
            System.gc();
            return new Held(
                    Objects.requireNonNull(new File("/proc/self/fd").list()).length,
                    ManagementFactory.getThreadMXBean().getThreadCount(),
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }

        void requireAtMost(Held before) {
            assertThat(descriptors).as("descriptors").isLessThanOrEqualTo(before.descriptors + SLACK);
            assertThat(threads).as("threads").isLessThanOrEqualTo(before.threads + SLACK);
            assertThat(heapBytes).as("heap").isLessThanOrEqualTo(before.heapBytes + HEAP_SLACK_BYTES);
        }
    }
}
