/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import dev.elasticrun.worker.contract.Daemons;
import dev.elasticrun.worker.internal.net.Network;
import dev.elasticrun.worker.internal.net.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Connections with TLS from this process to itself, as many as it takes until the JVM has compiled what their handshakes
 * do: the first ones take thirty times as long as those that come later.
 */
final class TlsRehearsal {
    private static final int PAIRS = 8;
    private static final long LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(600);

    private final Network network;
    private final long endNanos = System.nanoTime() + LIMIT_NANOS;

    private TlsRehearsal(Network network) {
        this.network = network;
    }

    /** Returns when it is over, or after a good half of a second. */
    static void play(Network network) throws IOException {
        new TlsRehearsal(network).play();
    }

    private void play() throws IOException {
        for (int pair = 0; pair < PAIRS && System.nanoTime() - endNanos < 0; pair++) {
            // Another port each time: on a known one the second call resumes the session of the first.
            try (Network.Door door = network.listen(0)) {
                Daemons.start("peer-warm-up-tls", () -> answer(door));
                call(door);
                call(door);
            }
        }
    }

    private void call(Network.Door door) throws IOException {
        try (Network.Outgoing wire = network.outgoing()) {
            wire.connect("127.0.0.1", door.port());
            wire.write(ByteBuffer.allocate(1));
            wire.read(ByteBuffer.allocate(1));
        }
    }

    private static void answer(Network.Door door) {
        try {
            while (door.isOpen()) {
                try (Wire wire = door.accept()) {
                    wire.read(ByteBuffer.allocate(1));
                    wire.write(ByteBuffer.allocate(1));
                }
            }
        } catch (IOException e) {
            // The caller has closed the listener, or reports the failure itself.
        }
    }
}
