/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a TCP port of the operating system's choice until a worker has bound it. The socket is bound but does not
 * listen, and has SO_REUSEADDR: the kernel gives the port to nobody who asks for any port, while a program that sets
 * SO_REUSEADDR before it binds (Java's server sockets, libuv, gRPC and torch do) can bind and listen beside the
 * reservation. A program that does not set it gets "address already in use" until {@link #close}.
 */
public final class PortReservation implements AutoCloseable {
    private final Socket socket;

    private PortReservation(Socket socket) {
        this.socket = socket;
    }

    /** Reserves a port; the address null means every local address. */
    public static PortReservation reserve(@Nullable InetAddress address) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(address, 0));
            return new PortReservation(socket);
        } catch (IOException e) {
            socket.close();
            throw new IOException("cannot reserve a port on " + (address == null ? "any address" : address), e);
        }
    }

    public int port() {
        return socket.getLocalPort();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close the reservation of port " + port(), e);
        }
    }
}
