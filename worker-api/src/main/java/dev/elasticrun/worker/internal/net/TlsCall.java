/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** A wire with TLS that begins here; without it if both ends are on one node, and the wire stays on the host. */
final class TlsCall implements Network.Outgoing {
    private final Network.Outgoing carrier;
    private final Engines engines;
    private final boolean isWithinNode;
    private volatile @Nullable Wire open;

    /** Of the caller's end. */
    @FunctionalInterface
    interface Engines {
        /** @param host and port: the engine resumes the last session with this peer */
        SSLEngine to(String host, int port);
    }

    /** @param isWithinNode whether to leave TLS out if the wire turns out not to leave this host */
    TlsCall(Network.Outgoing carrier, Engines engines, boolean isWithinNode) {
        this.carrier = carrier;
        this.engines = engines;
        this.isWithinNode = isWithinNode;
    }

    @Override
    public void connect(String host, int port) throws IOException {
        carrier.connect(host, port);
        if (isWithinNode && carrier.isWithinHost()) {
            open = carrier;
            return;
        }
        TlsWire begun = new TlsWire(carrier, engines.to(host, port));
        open = begun;
        try {
            begun.handshake();
        } catch (SSLException e) {
            throw new IOException("TLS with the worker at " + host + ":" + port + " failed: " + e.getMessage(), e);
        }
    }

    private Wire connected() {
        Wire wire = open;
        if (wire == null) {
            throw new IllegalStateException("the wire is not connected yet");
        }
        return wire;
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        return connected().read(to);
    }

    @Override
    public int poll(ByteBuffer to) throws IOException {
        return connected().poll(to);
    }

    @Override
    public int offer(ByteBuffer... parts) throws IOException {
        return connected().offer(parts);
    }

    @Override
    public boolean hasHeld() {
        return connected().hasHeld();
    }

    @Override
    public void write(ByteBuffer... parts) throws IOException {
        connected().write(parts);
    }

    /** Frees those that wait, also in {@link #connect}. */
    @Override
    public void close() {
        carrier.close();
    }
}
