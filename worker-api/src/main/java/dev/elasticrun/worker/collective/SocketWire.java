/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.LockSupport;

/** One TCP connection. */
final class SocketWire implements Network.Outgoing {
    private static final long PAUSE_NANOS = 20_000;

    private final SocketChannel channel;
    private volatile boolean isPolled;

    SocketWire(SocketChannel channel) throws IOException {
        this.channel = channel;
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    @Override
    public void connect(String host, int port) throws IOException {
        channel.connect(new InetSocketAddress(host, port));
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        int read = channel.read(to);
        while (read == 0 && to.hasRemaining()) {
            pause();
            read = channel.read(to);
        }
        return read;
    }

    @Override
    public int poll(ByteBuffer to) throws IOException {
        if (isPolled) {
            return channel.read(to);
        }
        channel.configureBlocking(false);
        try {
            return channel.read(to);
        } finally {
            channel.configureBlocking(true);
        }
    }

    @Override
    public int offer(ByteBuffer... parts) throws IOException {
        return (int) channel.write(parts);
    }

    @Override
    public void keepPolling(boolean polled) throws IOException {
        isPolled = polled;
        channel.configureBlocking(!polled);
    }

    @Override
    public void write(ByteBuffer... parts) throws IOException {
        long left = 0;
        for (ByteBuffer part : parts) {
            left += part.remaining();
        }
        while (left > 0) {
            long written = channel.write(parts);
            left -= written;
            if (written == 0) {
                pause();
            }
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // The descriptor is gone either way.
        }
    }

    /** While another thread polls, this one cannot wait in the channel. */
    private static void pause() throws IOException {
        LockSupport.parkNanos(PAUSE_NANOS);
        if (Thread.currentThread().isInterrupted()) {
            throw new ClosedByInterruptException();
        }
    }
}
