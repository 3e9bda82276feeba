/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import dev.elasticrun.worker.contract.TlsMaterial;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/**
 * Adds TLS to another network's wires, but for those between workers of one node that do not leave the host. Both ends
 * present a certificate at their first connection; callers keep the session ticket of the listener, and resume from it
 * in later rounds without signatures (RFC 8446, 2.2).
 */
public final class TlsNetwork implements Network {
    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

    private final Network carrier;
    private final SSLContext context;

    public TlsNetwork(Network carrier, SSLContext context) {
        this.carrier = carrier;
        this.context = context;
    }

    @Override
    public Outgoing outgoing() throws IOException {
        return new TlsCall(carrier.outgoing(), this::caller, false);
    }

    @Override
    public Outgoing outgoingWithinNode() throws IOException {
        return new TlsCall(carrier.outgoing(), this::caller, true);
    }

    private SSLEngine caller(String host, int port) {
        return engine(context.createSSLEngine(host, port), true);
    }

    @Override
    public Door listen(int port) throws IOException {
        return new TlsDoor(carrier.listen(port));
    }

    private static SSLEngine engine(SSLEngine engine, boolean isClient) {
        engine.setUseClientMode(isClient);
        engine.setNeedClientAuth(!isClient);
        engine.setEnabledProtocols(new String[] {TlsMaterial.PROTOCOL});
        engine.setEnabledCipherSuites(new String[] {TlsMaterial.CIPHER});
        return engine;
    }

    private final class TlsDoor implements Door {
        private final Door door;

        TlsDoor(Door door) {
            this.door = door;
        }

        @Override
        public int port() {
            return door.port();
        }

        /** The TLS handshake is left to the first thread that reads. */
        @Override
        public Wire accept() throws IOException {
            Wire wire = door.accept();
            return wire.isWithinHost() ? new NeighbourWire(wire, this::answer) : answer(wire, EMPTY);
        }

        private TlsWire answer(Wire wire, ByteBuffer begun) {
            return new TlsWire(wire, engine(context.createSSLEngine(), false), begun);
        }

        @Override
        public boolean isOpen() {
            return door.isOpen();
        }

        @Override
        public void close() throws IOException {
            door.close();
        }
    }
}
