/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The worker's address for its peers, one for the life of the process. Thread {@code peer-accept} takes calls, a
 * short-lived {@code peer-handshake} each proves the caller and puts the call into the lobby or answers the probe.
 */
final class PeerListener implements Closeable {
    private static final System.Logger LOGGER = System.getLogger(PeerListener.class.getName());
    private static final int BACKLOG = 1024;
    private static final int MAX_HANDSHAKES = 1024;
    private static final long HANDSHAKE_NANOS = 5_000_000_000L;

    private final ServerSocketChannel server;
    private final Handshake handshake;
    private final PeerLobby lobby;
    private final Map<SocketChannel, Long> handshakes = new ConcurrentHashMap<>();
    private final Thread acceptor;
    private boolean hasWarned;

    /** Port 0 = any. The wildcard address; a port that the agent holds bound but not listening can be shared. */
    PeerListener(int port, Handshake handshake, PeerLobby lobby) throws IOException {
        this.handshake = handshake;
        this.lobby = lobby;
        this.server = ServerSocketChannel.open();
        try {
            server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            server.bind(new InetSocketAddress(port), BACKLOG);
        } catch (IOException e) {
            server.close();
            throw new IOException("cannot listen for peers on port " + port + ": " + e.getMessage(), e);
        }
        this.acceptor = new Thread(this::accept, "peer-accept");
        acceptor.setDaemon(true);
    }

    void start() {
        acceptor.start();
    }

    int port() {
        return server.socket().getLocalPort();
    }

    /** Ends handshakes that take too long. */
    void tick(long nowNanos) {
        handshakes.forEach((channel, since) -> {
            if (nowNanos - since > HANDSHAKE_NANOS) {
                close(channel);
            }
        });
    }

    /** Also waits for the acceptor to leave the kernel: a thread in there delays the end of the process. */
    @Override
    public void close() {
        try {
            server.close();
            acceptor.join(50);
        } catch (IOException e) {
            LOGGER.log(Level.DEBUG, "closing the listener", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        handshakes.keySet().forEach(PeerListener::close);
    }

    private void accept() {
        while (server.isOpen()) {
            try {
                SocketChannel channel = server.accept();
                if (handshakes.size() >= MAX_HANDSHAKES) {
                    close(channel);
                    continue;
                }
                handshakes.put(channel, System.nanoTime());
                Thread thread = new Thread(() -> welcome(channel), "peer-handshake");
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                if (server.isOpen()) {
                    LOGGER.log(Level.WARNING, "accepting a peer failed", e);
                }
            }
        }
    }

    private void welcome(SocketChannel channel) {
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            Hello hello = handshake.answer(channel);
            if (hello.isProbe()) {
                channel.write(ByteBuffer.wrap(new byte[] {Handshake.ACCEPTED}));
                close(channel);
            } else {
                lobby.offer(hello, channel);
            }
        } catch (EOFException e) {
            // Somebody only wanted to know whether we listen, as a coordinator does before it admits our node.
            close(channel);
        } catch (IOException e) {
            close(channel);
            refused(e);
        } finally {
            handshakes.remove(channel);
        }
    }

    private synchronized void refused(IOException e) {
        if (server.isOpen()) {
            LOGGER.log(hasWarned ? Level.DEBUG : Level.INFO, "refused a connection: " + e.getMessage());
            hasWarned = true;
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // The descriptor is gone either way.
        }
    }
}
