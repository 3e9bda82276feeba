/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** One TCP connection. */
final class SocketWire implements Network.Outgoing {
    private final SocketChannel channel;

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
        return channel.read(to);
    }

    @Override
    public int poll(ByteBuffer to) throws IOException {
        channel.configureBlocking(false);
        try {
            return channel.read(to);
        } finally {
            channel.configureBlocking(true);
        }
    }

    @Override
    public void write(ByteBuffer... parts) throws IOException {
        long left = 0;
        for (ByteBuffer part : parts) {
            left += part.remaining();
        }
        while (left > 0) {
            left -= channel.write(parts);
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
}
