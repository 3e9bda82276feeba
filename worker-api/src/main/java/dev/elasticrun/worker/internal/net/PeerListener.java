/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import dev.elasticrun.worker.contract.Daemons;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The worker's address for its peers, one for the life of the process. Thread {@code peer-accept} takes calls, a
 * short-lived {@code peer-handshake} each proves the caller and puts the call into the lobby or answers the probe.
 */
public final class PeerListener implements Closeable {
    private static final System.Logger LOGGER = System.getLogger(PeerListener.class.getName());
    private static final int MAX_HANDSHAKES = 1024;
    private static final long HANDSHAKE_NANOS = 5_000_000_000L;

    private final Network.Door door;
    private final Handshake handshake;
    private final PeerLobby lobby;
    private final Map<Wire, Long> handshakes = new ConcurrentHashMap<>();
    private final Thread acceptor;

    public PeerListener(Network.Door door, Handshake handshake, PeerLobby lobby) {
        this.handshake = handshake;
        this.lobby = lobby;
        this.door = door;
        this.acceptor = Daemons.of("peer-accept", this::accept);
    }

    public void start() {
        acceptor.start();
    }

    public int port() {
        return door.port();
    }

    /** Ends handshakes that take too long. */
    public void tick(long nowNanos) {
        handshakes.forEach((wire, since) -> {
            if (nowNanos - since > HANDSHAKE_NANOS) {
                wire.close();
            }
        });
    }

    /** Also waits for the acceptor to leave the kernel: a thread in there delays the end of the process. */
    @Override
    public void close() {
        try {
            door.close();
            acceptor.join(50);
        } catch (IOException e) {
            LOGGER.log(Level.DEBUG, "closing the listener", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        handshakes.keySet().forEach(Wire::close);
    }

    private void accept() {
        while (door.isOpen()) {
            try {
                Wire wire = door.accept();
                if (handshakes.size() >= MAX_HANDSHAKES) {
                    lobby.refusals().connection("too many handshakes at once");
                    wire.close();
                    continue;
                }
                handshakes.put(wire, System.nanoTime());
                Daemons.start("peer-handshake", () -> welcome(wire));
            } catch (IOException e) {
                if (door.isOpen()) {
                    LOGGER.log(Level.WARNING, "accepting a peer failed", e);
                }
            }
        }
    }

    private void welcome(Wire wire) {
        try {
            HeldCall call = handshake.answer(wire, door.port());
            if (call.hello().isProbe()) {
                lobby.answerProbe(call);
            } else {
                lobby.offer(call);
            }
        } catch (EOFException e) {
            // The caller only checked whether this worker listens, as a coordinator does before it admits the node.
            wire.close();
        } catch (IOException e) {
            wire.close();
            if (door.isOpen()) {
                lobby.refusals().connection(e.toString());
            }
        } finally {
            handshakes.remove(wire);
        }
    }
}
