/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** TCP, without delays for small frames. */
final class SocketNetwork implements Network {
    private static final int BACKLOG = 1024;

    @Override
    public Outgoing outgoing() throws IOException {
        return new SocketWire(SocketChannel.open());
    }

    /** The wildcard address; a port that the agent holds bound but not listening can be shared. */
    @Override
    public Door listen(int port) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open();
        try {
            server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            server.bind(new InetSocketAddress(port), BACKLOG);
            return new SocketDoor(server);
        } catch (IOException e) {
            server.close();
            throw new IOException("cannot listen for peers on port " + port + ": " + e.getMessage(), e);
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
