/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLException;

/** A wire with TLS that begins here. */
record TlsCall(Network.Outgoing carrier, TlsWire tls) implements Network.Outgoing {

    @Override
    public void connect(String host, int port) throws IOException {
        carrier.connect(host, port);
        try {
            tls.handshake();
        } catch (SSLException e) {
            throw new IOException("TLS with the worker at " + host + ":" + port + " failed: " + e.getMessage(), e);
        }
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        return tls.read(to);
    }

    @Override
    public int poll(ByteBuffer to) throws IOException {
        return tls.poll(to);
    }

    @Override
    public int offer(ByteBuffer... parts) throws IOException {
        return tls.offer(parts);
    }

    @Override
    public boolean hasHeld() {
        return tls.hasHeld();
    }

    @Override
    public void write(ByteBuffer... parts) throws IOException {
        tls.write(parts);
    }

    @Override
    public void close() {
        tls.close();
    }
}
