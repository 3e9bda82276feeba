/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.internal.net.Network;
import dev.elasticrun.worker.internal.net.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Does what another wire does; a test overrides what is to be different. */
public abstract class ForwardingWire implements Network.Outgoing {
    private final Wire wire;

    public ForwardingWire(Wire wire) {
        this.wire = wire;
    }

    @Override
    public void connect(String host, int port) throws IOException {
        ((Network.Outgoing) wire).connect(host, port);
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        return wire.read(to);
    }

    @Override
    public int poll(ByteBuffer to) throws IOException {
        return wire.poll(to);
    }

    @Override
    public int offer(ByteBuffer... parts) throws IOException {
        return wire.offer(parts);
    }

    @Override
    public boolean hasHeld() {
        return wire.hasHeld();
    }

    @Override
    public void write(ByteBuffer... parts) throws IOException {
        wire.write(parts);
    }

    @Override
    public void close() {
        wire.close();
    }
}
