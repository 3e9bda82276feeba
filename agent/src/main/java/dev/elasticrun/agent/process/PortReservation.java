/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import dev.elasticrun.worker.contract.ListenPlace;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a TCP port of the operating system's choice until a process serves it. The socket is bound but does not listen,
 * so the kernel gives the port to no process that asks for any port, while a program can bind and listen beside the
 * reservation that has set the same option as it: SO_REUSEPORT, which only programs of the same user can share a port
 * by, or SO_REUSEADDR, by which any user can, but which programs set by themselves (Java's server sockets, libuv, gRPC
 * and torch do). A program that does not set it gets "address already in use" until {@link #close}. Alternatively for
 * this agent: the socket listens, and callers that connect wait until the agent {@link #take takes} it.
 */
public final class PortReservation implements AutoCloseable {
    private static final int BACKLOG = 1024;

    private final int port;
    private @Nullable Closeable held;

    private PortReservation(int port, Closeable held) {
        this.port = port;
        this.held = held;
    }

    /** Reserves a port for any program. */
    public static PortReservation reserve(ListenPlace place) throws IOException {
        return place.open(at -> hold(at, StandardSocketOptions.SO_REUSEADDR));
    }

    /** Reserves a port for a worker that sets SO_REUSEPORT: no other user can have it. */
    public static PortReservation forWorker(ListenPlace place) throws IOException {
        return place.open(at -> hold(at, StandardSocketOptions.SO_REUSEPORT));
    }

    private static PortReservation hold(InetSocketAddress at, SocketOption<Boolean> sharing) throws IOException {
        Socket socket = new Socket();
        try {
            // Bound alone first, so that no other process has this port of the range; shared only then.
            socket.setReuseAddress(false);
            socket.bind(at);
            socket.setOption(sharing, true);
            return new PortReservation(socket.getLocalPort(), socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Reserves a port at which connections wait. */
    public static PortReservation listening(ListenPlace place) throws IOException {
        return place.open(at -> listening(at, place.hasRange()));
    }

    private static PortReservation listening(InetSocketAddress at, boolean exclusively) throws IOException {
        ServerSocketChannel door = ServerSocketChannel.open();
        try {
            door.setOption(StandardSocketOptions.SO_REUSEADDR, !exclusively);
            door.bind(at, BACKLOG);
            return new PortReservation(door.socket().getLocalPort(), door);
        } catch (IOException e) {
            door.close();
            throw e;
        }
    }

    public int port() {
        return port;
    }

    /** The channel that listens, from now on the caller's; empty when this one does not listen, or was taken before. */
    public Optional<ServerSocketChannel> take() {
        if (held instanceof ServerSocketChannel door) {
            held = null;
            return Optional.of(door);
        }
        return Optional.empty();
    }

    /** Gives the port up; a channel that was taken stays. */
    @Override
    public void close() {
        try {
            if (held != null) {
                held.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close the reservation of port " + port, e);
        }
    }
}
