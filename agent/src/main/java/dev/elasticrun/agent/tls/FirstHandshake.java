/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.tls;

import dev.elasticrun.worker.contract.TlsMaterial;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;

/**
 * A handshake between two ends in memory, without any peer: it loads what a JVM needs for its first handshake before
 * the real one comes.
 */
final class FirstHandshake {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    // More than a handshake has; the rehearsal gives up one that does not end.
    private static final int MAX_STEPS = 200;

    private final SSLEngine engine;
    private final ByteBuffer sent;
    private final ByteBuffer plain;

    private FirstHandshake(SSLEngine engine, boolean isClient) {
        this.engine = engine;
        engine.setUseClientMode(isClient);
        engine.setNeedClientAuth(!isClient);
        engine.setEnabledProtocols(new String[] {TlsMaterial.PROTOCOL});
        engine.setEnabledCipherSuites(new String[] {TlsMaterial.CIPHER});
        this.sent = ByteBuffer.allocate(2 * engine.getSession().getPacketBufferSize());
        this.plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
    }

    /** @return whether both ends have come to an end */
    static boolean make(TlsMaterial material) throws SSLException {
        SSLContext context = material.context();
        FirstHandshake client = new FirstHandshake(context.createSSLEngine(), true);
        FirstHandshake server = new FirstHandshake(context.createSSLEngine(), false);
        client.engine.beginHandshake();
        server.engine.beginHandshake();
        for (int step = 0; step < MAX_STEPS; step++) {
            if (!client.step(server.sent) && !server.step(client.sent)) {
                break;
            }
        }
        return client.isOver() && server.isOver();
    }

    private boolean isOver() {
        return engine.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NOT_HANDSHAKING;
    }

    /** @return false if it can only wait for the other end */
    private boolean step(ByteBuffer received) throws SSLException {
        switch (engine.getHandshakeStatus()) {
            case NEED_WRAP -> {
                engine.wrap(NOTHING, sent);
                return true;
            }
            case NEED_TASK -> {
                engine.getDelegatedTask().run();
                return true;
            }
            default -> {
                received.flip();
                plain.clear();
                try {
                    return received.hasRemaining()
                            && engine.unwrap(received, plain).bytesConsumed() > 0;
                } finally {
                    received.compact();
                }
            }
        }
    }
}
