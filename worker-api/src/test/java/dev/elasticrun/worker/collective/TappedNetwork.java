/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A network whose every read and write by one worker is told first. */
record TappedNetwork(Network network, MemoryNetwork.Tap tap) implements Network {

    @Override
    public Outgoing outgoing() throws IOException {
        Outgoing real = network.outgoing();
        return new TappedWire(real, real, tap);
    }

    @Override
    public Door listen(int port) throws IOException {
        Door real = network.listen(port);
        return new Door() {
            @Override
            public int port() {
                return real.port();
            }

            @Override
            public Wire accept() throws IOException {
                Wire wire = real.accept();
                return new TappedWire(wire, null, tap);
            }

            @Override
            public boolean isOpen() {
                return real.isOpen();
            }

            @Override
            public void close() throws IOException {
                real.close();
            }
        };
    }

    private record TappedWire(Wire wire, @Nullable Outgoing outgoing, MemoryNetwork.Tap tap) implements Outgoing {

        @Override
        public void connect(String host, int port) throws IOException {
            tap.tap();
            Objects.requireNonNull(outgoing).connect(host, port);
        }

        @Override
        public int read(ByteBuffer to) throws IOException {
            tap.tap();
            return wire.read(to);
        }

        @Override
        public int poll(ByteBuffer to) throws IOException {
            tap.tap();
            return wire.poll(to);
        }

        @Override
        public boolean hasBytes() throws IOException {
            return wire.hasBytes();
        }

        @Override
        public int offer(ByteBuffer... parts) throws IOException {
            tap.tap();
            return wire.offer(parts);
        }

        @Override
        public void keepPolling(boolean isPolled) throws IOException {
            wire.keepPolling(isPolled);
        }

        @Override
        public void write(ByteBuffer... parts) throws IOException {
            tap.tap();
            wire.write(parts);
        }

        @Override
        public void close() {
            wire.close();
        }
    }
}
