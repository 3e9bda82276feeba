/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.stream.IntStream;

/**
 * A program that stands between nodes of a lab and passes on what they send to each other, later. It has an address for each
 * node and listens on every port that a node may use: the address that was dialled names which node is meant. Needs nothing but
 * the JDK, and ends with its standard input.
 */
final class DelayRelay {
    /** Third byte of the address under which a node is dialled here; its own has 0. */
    static final int DETOUR = 1;

    static final int FIRST_PORT = 42_000;
    static final int LAST_PORT = 42_099;
    static final String READY = "ready";

    private final Duration delay;

    private DelayRelay(Duration delay) {
        this.delay = delay;
    }

    /** Arguments: the delay of each direction in milliseconds, the port of the store. */
    public static void main(String[] arguments) throws IOException {
        DelayRelay relay = new DelayRelay(Duration.ofMillis(Long.parseLong(arguments[0])));
        start("listen", () -> relay.listen(Integer.parseInt(arguments[1])));
        while (System.in.read() >= 0) {
            // Nothing is sent: only the end counts.
        }
    }

    /** A thread that ends with the program. */
    static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void listen(int storePort) {
        try (Selector selector = Selector.open()) {
            int[] ports = IntStream.concat(IntStream.of(storePort), IntStream.rangeClosed(FIRST_PORT, LAST_PORT))
                    .distinct()
                    .toArray();
            for (int port : ports) {
                ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(port));
                server.configureBlocking(false);
                server.register(selector, SelectionKey.OP_ACCEPT);
            }
            System.out.println(READY);
            while (selector.select() >= 0) {
                for (SelectionKey key : selector.selectedKeys()) {
                    SocketChannel accepted = ((ServerSocketChannel) key.channel()).accept();
                    if (accepted != null) {
                        start("join", () -> join(accepted.socket()));
                    }
                }
                selector.selectedKeys().clear();
            }
        } catch (IOException e) {
            System.out.println(e);
        }
    }

    private void join(Socket dialling) {
        try {
            byte[] address = dialling.getLocalAddress().getAddress();
            address[2] = 0;
            Socket node = new Socket(InetAddress.getByAddress(address), dialling.getLocalPort());
            for (Socket socket : new Socket[] {dialling, node}) {
                socket.setTcpNoDelay(true);
            }
            DelayLine.connect(dialling, node, delay);
            DelayLine.connect(node, dialling, delay);
        } catch (IOException e) {
            refuse(dialling);
        }
    }

    private static void refuse(Socket dialling) {
        try (dialling) {
            dialling.setSoLinger(true, 0);
        } catch (IOException e) {
            // Closed already.
        }
    }
}
