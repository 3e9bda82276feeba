/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

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
    /** Stays as it was needed last: to set it takes two system calls. Guarded by this, for one that sends and one that reads. */
    private volatile boolean isBlocking = true;

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

    /** Packets from elsewhere that claim an address of this host are dropped by its kernel. */
    @Override
    public boolean isWithinHost() {
        try {
            return channel.getLocalAddress() instanceof InetSocketAddress here
                    && channel.getRemoteAddress() instanceof InetSocketAddress there
                    && here.getAddress().equals(there.getAddress());
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        setBlocking(true);
        int read = channel.read(to);
        while (read == 0 && to.hasRemaining()) {
            pause();
            read = channel.read(to);
        }
        return read;
    }

    @Override
    public int poll(ByteBuffer to) throws IOException {
        setBlocking(false);
        return channel.read(to);
    }

    @Override
    public int offer(ByteBuffer... parts) throws IOException {
        setBlocking(false);
        return (int) channel.write(parts);
    }

    @Override
    public void write(ByteBuffer... parts) throws IOException {
        setBlocking(true);
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

    // Once it is set, no thread sets it again on the channel: that would wait until no other thread waits in it.
    private void setBlocking(boolean isWanted) throws IOException {
        if (isBlocking != isWanted) {
            synchronized (this) {
                if (isBlocking != isWanted) {
                    channel.configureBlocking(isWanted);
                    isBlocking = isWanted;
                }
            }
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
