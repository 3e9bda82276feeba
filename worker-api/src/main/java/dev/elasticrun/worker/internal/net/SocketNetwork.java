/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import dev.elasticrun.worker.contract.ListenPlace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** TCP, without delays for small frames. Listens where the node does. */
public final class SocketNetwork implements Network {
    private static final int BACKLOG = 1024;

    private final ListenPlace place;

    public SocketNetwork(ListenPlace place) {
        this.place = place;
    }

    @Override
    public Outgoing outgoing() throws IOException {
        return new SocketWire(SocketChannel.open());
    }

    /** A port that the agent holds bound but not listening can be shared, as both are of one user. */
    @Override
    public Door listen(int port) throws IOException {
        try {
            return port == 0 ? place.open(at -> door(at, false)) : door(place.at(port), true);
        } catch (IOException e) {
            throw new IOException("cannot listen for peers on port " + port + ": " + e.getMessage(), e);
        }
    }

    // held = whether the agent holds the port; a port of a range that another process holds is not used
    private Door door(InetSocketAddress at, boolean held) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open();
        try {
            server.setOption(StandardSocketOptions.SO_REUSEADDR, held || !place.hasRange());
            server.setOption(StandardSocketOptions.SO_REUSEPORT, held);
            server.bind(at, BACKLOG);
            return new SocketDoor(server);
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    private record SocketDoor(ServerSocketChannel server) implements Door {

        @Override
        public int port() {
            return server.socket().getLocalPort();
        }

        @Override
        public Wire accept() throws IOException {
            return new SocketWire(server.accept());
        }

        @Override
        public boolean isOpen() {
            return server.isOpen();
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}
