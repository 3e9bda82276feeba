/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.worker.contract.ListenPlace;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.internal.engine.ForwardingWire;
import dev.elasticrun.worker.internal.engine.TestTls;
import dev.elasticrun.worker.internal.engine.TestWorker;
import dev.elasticrun.worker.internal.engine.WrappedNetwork;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class NeighbourWireTest {
    /** As a hello begins. */
    private static final byte[] WORDS = "ELR2 and whatever a worker sends".getBytes(StandardCharsets.US_ASCII);

    /** So long that encrypted bytes do not contain it by chance. */
    private static final String INCARNATION = "incarnation in clear";

    private final ExecutorService threads = Executors.newCachedThreadPool();
    /** What callers gave to the sockets. */
    private final Queue<String> sent = new ConcurrentLinkedQueue<>();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    /** Sockets that keep what callers write, and whose ends claim to be on one host, or not. */
    private Network watched(boolean isWithinHost) {
        return new TlsNetwork(
                new WrappedNetwork(new SocketNetwork(ListenPlace.LOOPBACK), wire -> new ForwardingWire(wire) {
                    @Override
                    public void write(ByteBuffer... parts) throws IOException {
                        for (ByteBuffer part : parts) {
                            sent.add(StandardCharsets.ISO_8859_1
                                    .decode(part.duplicate())
                                    .toString());
                        }
                        super.write(parts);
                    }

                    @Override
                    public boolean isWithinHost() {
                        return isWithinHost;
                    }
                }),
                TestTls.context("run"));
    }

    private String send(Network.Outgoing caller, Network called) throws Exception {
        try (Network.Door door = called.listen(0);
                caller) {
            Future<String> received = threads.submit(() -> {
                try (Wire wire = door.accept()) {
                    ByteBuffer all = ByteBuffer.allocate(WORDS.length);
                    while (all.hasRemaining() && wire.read(all) >= 0) {
                        Thread.onSpinWait();
                    }
                    wire.write(ByteBuffer.wrap(new byte[] {1}));
                    return new String(all.array(), StandardCharsets.US_ASCII);
                }
            });
            caller.connect("127.0.0.1", door.port());
            caller.write(ByteBuffer.wrap(WORDS));
            assertThat(caller.read(ByteBuffer.allocate(1))).isEqualTo(1);
            return received.get(30, TimeUnit.SECONDS);
        }
    }

    private boolean isSentInClear() {
        return sent.stream().anyMatch(stated -> stated.contains("whatever a worker sends"));
    }

    @Test
    void outgoingWithinNode_onOneHost_needsNoTls() throws Exception {
        assertThat(send(watched(true).outgoingWithinNode(), TestTls.network("run")))
                .isEqualTo(new String(WORDS, StandardCharsets.US_ASCII));
        assertThat(isSentInClear()).isTrue();
    }

    @Test
    void outgoingWithinNode_toAnotherHost_encrypts() throws Exception {
        assertThat(send(watched(false).outgoingWithinNode(), watched(false)))
                .isEqualTo(new String(WORDS, StandardCharsets.US_ASCII));
        assertThat(sent).isNotEmpty();
        assertThat(isSentInClear()).isFalse();
    }

    /** Another node of this host. */
    @Test
    void outgoing_onOneHost_encrypts() throws Exception {
        assertThat(send(watched(true).outgoing(), TestTls.network("run")))
                .isEqualTo(new String(WORDS, StandardCharsets.US_ASCII));
        assertThat(isSentInClear()).isFalse();
    }

    @Test
    void accept_helloInClearFromAnotherHost_isRefused() throws Exception {
        try (Network.Door door = watched(false).listen(0);
                Network.Outgoing plain = new SocketNetwork(ListenPlace.LOOPBACK).outgoing()) {
            plain.connect("127.0.0.1", door.port());
            plain.write(ByteBuffer.wrap(WORDS));
            try (Wire wire = door.accept()) {
                assertThatThrownBy(() -> wire.read(ByteBuffer.allocate(1))).isInstanceOf(SSLException.class);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void dial_encryptsUnlessThePeerIsOfTheSameNode(boolean isSameNode) throws Exception {
        Handshake handshake = new Handshake(TestWorker.KEY, INCARNATION);
        PeerLobby lobby = new PeerLobby();
        lobby.enter(1, 0);
        try (PeerListener listener = new PeerListener(TestTls.network("run").listen(0), handshake, lobby)) {
            listener.start();
            PeerDialer dialer = new PeerDialer(watched(true), handshake, 1, 1, "a");
            Future<Wire> dialled = threads.submit(
                    () -> dialer.dial(new PeerTable.Peer(0, isSameNode ? "a" : "b", "127.0.0.1", listener.port())));
            Optional<HeldCall> call;
            synchronized (lobby) {
                call = lobby.poll(1, 1, 0);
                while (call.isEmpty()) {
                    lobby.wait();
                    call = lobby.poll(1, 1, 0);
                }
            }
            call.get().accept();
            dialled.get(30, TimeUnit.SECONDS).close();
            assertThat(sent.stream().anyMatch(stated -> stated.contains(INCARNATION)))
                    .isEqualTo(isSameNode);
            dialer.close();
        }
    }

    /** It proves itself as any caller does. */
    @Test
    void dial_sameNodeWithAnotherKey_isRefused() throws Exception {
        PeerLobby lobby = new PeerLobby();
        lobby.enter(1, 0);
        try (PeerListener listener = new PeerListener(
                TestTls.network("run").listen(0), new Handshake(TestWorker.KEY, TestWorker.INCARNATION), lobby)) {
            listener.start();
            PeerDialer dialer =
                    new PeerDialer(watched(true), new Handshake(new byte[32], TestWorker.INCARNATION), 1, 1, "a");
            PeerTable.Peer peer = new PeerTable.Peer(0, "a", "127.0.0.1", listener.port());
            Future<Wire> dialled = threads.submit(() -> dialer.dial(peer));
            while (lobby.refusals().connections() == 0) {
                Thread.onSpinWait();
            }
            dialer.close();
            assertThatThrownBy(() -> dialled.get(30, TimeUnit.SECONDS)).hasMessageContaining("is closed");
            assertThat(lobby.poll(1, 1, 0)).isEmpty();
        }
    }

    @Test
    void meet_beforeTheRound_sparesItTheCertificates() throws Exception {
        AtomicInteger judged = new AtomicInteger();
        Network callers = new TlsNetwork(new SocketNetwork(ListenPlace.LOOPBACK), TestTls.context("run", judged));
        Handshake handshake = new Handshake(TestWorker.KEY, TestWorker.INCARNATION);
        PeerLobby lobby = new PeerLobby();
        lobby.enter(4, 0);
        try (PeerListener listener = new PeerListener(TestTls.network("run").listen(0), handshake, lobby)) {
            listener.start();
            PeerTable.Peer peer = new PeerTable.Peer(0, "a", "127.0.0.1", listener.port());
            PeerTable.Peer gone = new PeerTable.Peer(1, "c", "127.0.0.1", 1);
            Acquaintance.make(
                    new PeerDialer(callers, handshake, 4, 2, ""), List.of(peer, gone), Duration.ofSeconds(30));
            assertThat(judged).hasValue(1);
            assertThat(lobby.poll(4, 2, 0)).isEmpty();
            assertThat(new PeerDialer(callers, handshake, 5, 1, "b").isAlive(peer))
                    .isTrue();
            assertThat(judged).hasValue(1);
        }
    }

    @Test
    void meet_silentPeer_endsInTime() throws Exception {
        try (Network.Door silent = new SocketNetwork(ListenPlace.LOOPBACK).listen(0)) {
            Network callers = TestTls.network("run");
            Handshake handshake = new Handshake(TestWorker.KEY, TestWorker.INCARNATION);
            PeerDialer dialer = new PeerDialer(callers, handshake, 4, 1, "");
            Acquaintance.make(
                    dialer, List.of(new PeerTable.Peer(0, "a", "127.0.0.1", silent.port())), Duration.ofMillis(100));
            assertThat(Thread.getAllStackTraces().keySet().stream()
                            .filter(thread -> thread.getName().startsWith("peer-meet"))
                            .toList())
                    .allSatisfy(thread -> thread.join(30_000))
                    .noneMatch(Thread::isAlive);
        }
    }
}
