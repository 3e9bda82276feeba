/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.contract.TlsMaterial;
import java.io.IOException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/**
 * Another network's wires, with TLS over them. Both ends show a certificate when they meet for the first time; callers
 * keep what a listener gave them then, and go on from it in later rounds without signatures (RFC 8446, 2.2).
 */
final class TlsNetwork implements Network {
    private final Network carrier;
    private final SSLContext context;

    TlsNetwork(Network carrier, SSLContext context) {
        this.carrier = carrier;
        this.context = context;
    }

    @Override
    public Outgoing outgoing() throws IOException {
        return new TlsCall(carrier.outgoing(), (host, port) -> engine(context.createSSLEngine(host, port), true));
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

        /** The TLS handshake is left to the first who reads. */
        @Override
        public Wire accept() throws IOException {
            return new TlsWire(door.accept(), engine(context.createSSLEngine(), false));
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
