/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.worker.contract.ListenPlace;
import dev.elasticrun.worker.internal.engine.ForwardingWire;
import dev.elasticrun.worker.internal.engine.TestTls;
import dev.elasticrun.worker.internal.engine.WrappedNetwork;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes through a wire with TLS, and who gets none. */
@Timeout(30)
final class TlsWireTest {
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private interface Talk<T> {
        T with(Wire wire) throws IOException;
    }

    /** One end calls the other; returns what the called one makes of it. */
    private <T> T talk(Network callers, Network called, Talk<?> caller, Talk<T> listener) throws Exception {
        try (Network.Door door = called.listen(0)) {
            Future<T> received = threads.submit(() -> {
                try (Wire wire = door.accept()) {
                    return listener.with(wire);
                }
            });
            try (Network.Outgoing wire = callers.outgoing()) {
                wire.connect("127.0.0.1", door.port());
                caller.with(wire);
                return received.get(20, TimeUnit.SECONDS);
            }
        }
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new Random(count).nextBytes(bytes);
        return bytes;
    }

    private static byte[] readFully(Wire wire, int count, int step) throws IOException {
        ByteBuffer all = ByteBuffer.allocateDirect(count);
        while (all.hasRemaining()) {
            all.limit(Math.min(count, all.position() + step));
            if (wire.read(all) < 0) {
                throw new EOFException();
            }
            all.limit(count);
        }
        byte[] bytes = new byte[count];
        all.flip().get(bytes);
        return bytes;
    }

    @Test
    void connect_toAPeerThatWasMetBefore_goesOnWithoutItsCertificate() throws Exception {
        AtomicInteger judged = new AtomicInteger();
        Network callers = new TlsNetwork(new SocketNetwork(ListenPlace.LOOPBACK), TestTls.context("run", judged));
        try (Network.Door door = TestTls.network("run").listen(0)) {
            for (int call = 0; call < 3; call++) {
                Future<byte[]> received = threads.submit(() -> {
                    try (Wire wire = door.accept()) {
                        byte[] stated = readFully(wire, 1, 1);
                        wire.write(ByteBuffer.wrap(stated));
                        return stated;
                    }
                });
                try (Network.Outgoing wire = callers.outgoing()) {
                    wire.connect("127.0.0.1", door.port());
                    wire.write(ByteBuffer.wrap(new byte[] {(byte) call}));
                    assertThat(readFully(wire, 1, 1)).containsExactly(call);
                    assertThat(received.get(20, TimeUnit.SECONDS)).containsExactly(call);
                }
            }
        }
        assertThat(judged).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 16_384, 40_000, 1_000_000})
    void write_anyPieces_arriveWhateverTheReaderAsksFor(int step) throws Exception {
        byte[] sent = bytes(300_000);
        byte[] received = talk(
                TestTls.network("run"),
                TestTls.network("run"),
                wire -> {
                    wire.write(ByteBuffer.wrap(sent, 0, 8), ByteBuffer.wrap(sent, 8, 92));
                    wire.write(ByteBuffer.wrap(sent, 100, sent.length - 100));
                    return true;
                },
                wire -> readFully(wire, sent.length, step));
        assertThat(received).isEqualTo(sent);
    }

    @Test
    void offer_carrierTakesLittle_keepsTheRestAndReportsIt() throws Exception {
        byte[] sent = bytes(200_000);
        Network narrow = new WrappedNetwork(new SocketNetwork(ListenPlace.LOOPBACK), NarrowWire::new);
        byte[] received = talk(
                new TlsNetwork(narrow, TestTls.context("run")),
                TestTls.network("run"),
                wire -> {
                    ByteBuffer values = ByteBuffer.wrap(sent);
                    boolean isTakenBeforeItIsSent = false;
                    while (values.hasRemaining() || wire.hasHeld()) {
                        wire.offer(values);
                        isTakenBeforeItIsSent |= !values.hasRemaining() && wire.hasHeld();
                    }
                    assertThat(isTakenBeforeItIsSent).isTrue();
                    return true;
                },
                wire -> readFully(wire, sent.length, 70_000));
        assertThat(received).isEqualTo(sent);
    }

    @Test
    void poll_nothingThere_doesNotWait_andSeesTheEnd() throws Exception {
        int end = talk(
                TestTls.network("run"),
                TestTls.network("run"),
                wire -> {
                    ByteBuffer one = ByteBuffer.allocate(1);
                    assertThat(wire.poll(one)).isZero();
                    wire.write(ByteBuffer.allocate(1));
                    while (wire.poll(one) == 0) {
                        Thread.onSpinWait();
                    }
                    assertThat(one.hasRemaining()).isFalse();
                    wire.close();
                    return true;
                },
                wire -> {
                    wire.read(ByteBuffer.allocate(1));
                    wire.write(ByteBuffer.allocate(1));
                    return wire.read(ByteBuffer.allocate(1));
                });
        assertThat(end).isEqualTo(-1);
    }

    @Test
    void close_byAnotherThread_freesTheReader() throws Exception {
        int received = talk(
                TestTls.network("run"),
                TestTls.network("run"),
                wire -> {
                    wire.write(ByteBuffer.allocate(1));
                    Future<Integer> reader = threads.submit(() -> wire.read(one()));
                    wire.close();
                    // The other end may hang up first.
                    assertThat(reader)
                            .satisfiesAnyOf(
                                    freed -> assertThat(freed)
                                            .failsWithin(20, TimeUnit.SECONDS)
                                            .withThrowableOfType(ExecutionException.class)
                                            .withCauseInstanceOf(IOException.class),
                                    ended -> assertThat(ended)
                                            .succeedsWithin(20, TimeUnit.SECONDS)
                                            .isEqualTo(-1));
                    return true;
                },
                wire -> wire.read(one()));
        assertThat(received).isEqualTo(1);
    }

    @Test
    void connect_authorityOfAnotherRun_isRefusedByName() {
        assertThatThrownBy(() ->
                        talk(TestTls.network("other"), TestTls.network("run"), wire -> true, wire -> wire.read(one())))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("TLS with the worker at 127.0.0.1:")
                .hasMessageContaining("CN=node of run, issued by CN=elastic-run run ")
                .hasMessageContaining("(expected: one issued by CN=elastic-run other ");
    }

    @Test
    void connect_plainCaller_getsNothingButAnAlert() throws Exception {
        try (Network.Door door = TestTls.network("run").listen(0);
                SocketChannel plain =
                        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), door.port()))) {
            plain.write(StandardCharsets.US_ASCII.encode("GET / HTTP/1.1\r\nHost: worker\r\n\r\n"));
            try (Wire wire = door.accept()) {
                assertThatThrownBy(() -> wire.read(one())).isInstanceOf(IOException.class);
            }
            ByteBuffer stated = ByteBuffer.allocate(100);
            while (plain.read(stated) >= 0) {
                Thread.onSpinWait();
            }
            // Type 21, version, length 2, and the alert.
            assertThat(stated.position()).isIn(0, 7);
        }
    }

    @Test
    void read_callerHangsUpAtOnce_isNoBrokenHandshake() throws Exception {
        try (Network.Door door = TestTls.network("run").listen(0)) {
            SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), door.port()))
                    .close();
            try (Wire wire = door.accept()) {
                assertThatThrownBy(() -> wire.read(one())).isInstanceOf(EOFException.class);
            }
        }
    }

    @Test
    @Tag("once")
    void write_bothWaysAtOnce_arrives() throws Exception {
        byte[] sent = bytes(4 << 20);
        byte[] received = talk(
                TestTls.network("run"),
                TestTls.network("run"),
                wire -> {
                    Future<byte[]> back = threads.submit(() -> readFully(wire, sent.length, 50_000));
                    wire.write(ByteBuffer.wrap(sent));
                    assertThat(await(back)).isEqualTo(sent);
                    return true;
                },
                wire -> {
                    Future<byte[]> there = threads.submit(() -> readFully(wire, sent.length, 1 << 20));
                    wire.write(ByteBuffer.wrap(sent));
                    return await(there);
                });
        assertThat(received).isEqualTo(sent);
    }

    private static byte[] await(Future<byte[]> bytes) throws IOException {
        try {
            return bytes.get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private static ByteBuffer one() {
        return ByteBuffer.allocate(1);
    }

    /** Takes 1000 bytes at a time, and nothing each other time. */
    private static final class NarrowWire extends ForwardingWire {
        private int offers;

        NarrowWire(Wire wire) {
            super(wire);
        }

        @Override
        public int offer(ByteBuffer... parts) throws IOException {
            if (++offers % 2 == 0) {
                return 0;
            }
            ByteBuffer some = parts[0].duplicate();
            some.limit(Math.min(some.limit(), some.position() + 1000));
            int sent = super.offer(some);
            parts[0].position(parts[0].position() + sent);
            return sent;
        }
    }
}
