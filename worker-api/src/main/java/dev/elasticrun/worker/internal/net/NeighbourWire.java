/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An accepted connection from this host: with TLS, or without it if the caller is a worker of this node. The caller's
 * first byte selects the mode. What is sent without TLS stays on the host, as what workers of one node share in memory
 * does, and the caller has to prove in either case that it has the run key.
 */
final class NeighbourWire implements Wire {
    private final Wire carrier;
    private final Encryption encryption;
    /** What was read to find out, until it is given to the reader. Guarded by this. */
    private final ByteBuffer first = ByteBuffer.allocate(1);
    // Set once, under this, when the caller has sent its first byte.
    private volatile @Nullable Wire settled;

    /** Of the listener's end. */
    @FunctionalInterface
    public interface Encryption {
        /** @param begun first bytes of the caller, which were read already */
        Wire over(Wire carrier, ByteBuffer begun);
    }

    NeighbourWire(Wire carrier, Encryption encryption) {
        this.carrier = carrier;
        this.encryption = encryption;
    }

    // Blocks until the caller has sent its first byte, or is gone.
    private Wire settled() throws IOException {
        Wire known = settled;
        return known == null ? settle() : known;
    }

    /** One thread, while others wait for it. */
    private synchronized Wire settle() throws IOException {
        Wire known = settled;
        if (known != null) {
            return known;
        }
        carrier.read(first);
        first.flip();
        // Whatever else it is, and also nothing at all: TLS has an answer for it.
        boolean isHello = first.hasRemaining() && first.get(0) == Hello.FIRST_BYTE;
        Wire found = isHello ? new Begun(carrier, first) : encryption.over(carrier, first);
        settled = found;
        return found;
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        return settled().read(to);
    }

    @Override
    public int poll(ByteBuffer to) throws IOException {
        return settled().poll(to);
    }

    @Override
    public int offer(ByteBuffer... parts) throws IOException {
        return settled().offer(parts);
    }

    @Override
    public boolean hasHeld() {
        Wire known = settled;
        return known != null && known.hasHeld();
    }

    @Override
    public void write(ByteBuffer... parts) throws IOException {
        settled().write(parts);
    }

    @Override
    public boolean isWithinHost() {
        return true;
    }

    /** Any thread; frees those that wait. */
    @Override
    public void close() {
        carrier.close();
    }

    /** Another wire, of which the first bytes were read already. Those are for the thread that reads. */
    private record Begun(Wire carrier, ByteBuffer begun) implements Wire {
        @Override
        public int read(ByteBuffer to) throws IOException {
            return begun.hasRemaining() && to.hasRemaining() ? take(to) : carrier.read(to);
        }

        @Override
        public int poll(ByteBuffer to) throws IOException {
            return begun.hasRemaining() && to.hasRemaining() ? take(to) : carrier.poll(to);
        }

        private int take(ByteBuffer to) {
            to.put(begun.get());
            return 1;
        }

        @Override
        public int offer(ByteBuffer... parts) throws IOException {
            return carrier.offer(parts);
        }

        @Override
        public void write(ByteBuffer... parts) throws IOException {
            carrier.write(parts);
        }

        @Override
        public void close() {
            carrier.close();
        }
    }
}
