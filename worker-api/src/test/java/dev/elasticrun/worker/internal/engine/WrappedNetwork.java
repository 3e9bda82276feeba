/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.internal.net.Network;
import dev.elasticrun.worker.internal.net.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Function;

/** A network whose wires a test has wrapped, those that call and those that are called. */
public record WrappedNetwork(Network network, Function<Wire, ForwardingWire> wrap) implements Network {

    /** Every use of a wire is reported first. */
    static WrappedNetwork tapped(Network network, MemoryNetwork.Tap tap) {
        return new WrappedNetwork(network, wire -> new TappedWire(wire, tap));
    }

    @Override
    public Outgoing outgoing() throws IOException {
        return wrap.apply(network.outgoing());
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
                return wrap.apply(real.accept());
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

    private static final class TappedWire extends ForwardingWire {
        private final MemoryNetwork.Tap tap;

        private TappedWire(Wire wire, MemoryNetwork.Tap tap) {
            super(wire);
            this.tap = tap;
        }

        @Override
        public void connect(String host, int port) throws IOException {
            tap.tap();
            super.connect(host, port);
        }

        @Override
        public int read(ByteBuffer to) throws IOException {
            tap.tap();
            return super.read(to);
        }

        @Override
        public int poll(ByteBuffer to) throws IOException {
            tap.tap();
            return super.poll(to);
        }

        @Override
        public int offer(ByteBuffer... parts) throws IOException {
            tap.tap();
            return super.offer(parts);
        }

        @Override
        public void write(ByteBuffer... parts) throws IOException {
            tap.tap();
            super.write(parts);
        }
    }
}
