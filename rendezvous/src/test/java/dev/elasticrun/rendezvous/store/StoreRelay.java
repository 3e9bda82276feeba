/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Stands between clients and a store, and slows down or holds what goes in either direction: as a network does that
 * loses one direction, what is held arrives when it works again.
 */
public final class StoreRelay implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(2);

    private final ServerSocket listener;
    private final InetSocketAddress target;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile boolean holdsRequests;
    private volatile boolean holdsAnswers;
    private volatile Duration delay = Duration.ZERO;
    private volatile boolean closed;

    private record Chunk(byte[] bytes, long dueNanos) {}

    private StoreRelay(ServerSocket listener, InetSocketAddress target) {
        this.listener = listener;
        this.target = target;
    }

    public static StoreRelay to(String endpoint) {
        int colon = endpoint.lastIndexOf(':');
        InetSocketAddress target =
                new InetSocketAddress(endpoint.substring(0, colon), Integer.parseInt(endpoint.substring(colon + 1)));
        try {
            StoreRelay relay = new StoreRelay(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target);
            start("relay-accept", relay::accept);
            return relay;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String endpoint() {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    public void holdRequests(boolean hold) {
        holdsRequests = hold;
    }

    public void holdAnswers(boolean hold) {
        holdsAnswers = hold;
    }

    /** What an answer takes longer from now on. */
    public void delayAnswers(Duration time) {
        delay = time;
    }

    @Override
    public void close() throws IOException {
        closed = true;
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private void accept() {
        while (!closed) {
            try {
                Socket client = listener.accept();
                sockets.add(client);
                connect(client);
            } catch (IOException e) {
                // This relay is closed.
            }
        }
    }

    private void connect(Socket client) throws IOException {
        Socket server = new Socket();
        sockets.add(server);
        try {
            server.connect(target);
        } catch (IOException e) {
            // The store refuses: the client sees its connection end.
            client.close();
            return;
        }
        pump("requests", client, server, false);
        pump("answers", server, client, true);
    }

    private void pump(String what, Socket from, Socket to, boolean answers) {
        LinkedBlockingQueue<Chunk> underWay = new LinkedBlockingQueue<>();
        start("relay-" + what + "-in", () -> {
            byte[] buffer = new byte[1 << 16];
            try (from) {
                InputStream in = from.getInputStream();
                for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                    long due = System.nanoTime() + (answers ? delay.toNanos() : 0);
                    underWay.add(new Chunk(Arrays.copyOf(buffer, length), due));
                }
            } catch (IOException e) {
                // Either end is gone; the other is notified below.
            }
            underWay.add(new Chunk(new byte[0], System.nanoTime()));
        });
        start("relay-" + what + "-out", () -> {
            try (to) {
                OutputStream out = to.getOutputStream();
                for (Chunk next = underWay.take(); next.bytes.length > 0; next = underWay.take()) {
                    long due = next.dueNanos;
                    while (!closed && (System.nanoTime() - due < 0 || (answers ? holdsAnswers : holdsRequests))) {
                        LockSupport.parkNanos(POLL.toNanos());
                    }
                    out.write(next.bytes);
                }
            } catch (IOException e) {
                // As above.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static void start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }
}
