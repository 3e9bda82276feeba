/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;

/**
 * Authenticated calls that wait for this worker to reach their round. One per round and rank, a later call replaces an
 * earlier one; calls for rounds that are over are told so. Its monitor is also what a forming mesh waits on.
 */
final class PeerLobby {
    private static final int MAX_HELD = 4096;

    private final Refusals refusals = new Refusals();

    private final Map<Seat, Wire> held = new HashMap<>();
    private long round;
    private boolean isClosed;

    private record Seat(long round, int from, int to) {}

    Refusals refusals() {
        return refusals;
    }

    synchronized void offer(Hello hello, Wire wire) {
        if (isClosed || held.size() >= MAX_HELD) {
            refusals.connection("too many calls for later rounds");
            wire.close();
        } else if (hello.round() < round) {
            refusals.connection("call for round " + hello.round() + " in round " + round);
            answer(wire, Handshake.OLD_ROUND);
            wire.close();
        } else {
            Wire earlier = held.put(new Seat(hello.round(), hello.from(), hello.to()), wire);
            if (earlier != null) {
                earlier.close();
            }
            notifyAll();
        }
    }

    /** From now on older rounds are over. A round may be entered again: it can be closed and reopened. */
    synchronized void enter(long newRound) {
        round = Math.max(round, newRound);
        Iterator<Map.Entry<Seat, Wire>> calls = held.entrySet().iterator();
        while (calls.hasNext()) {
            Map.Entry<Seat, Wire> call = calls.next();
            if (call.getKey().round() < round) {
                answer(call.getValue(), Handshake.OLD_ROUND);
                call.getValue().close();
                calls.remove();
            }
        }
    }

    synchronized Optional<Wire> poll(long ofRound, int from, int to) {
        return Optional.ofNullable(held.remove(new Seat(ofRound, from, to)));
    }

    synchronized void close() {
        isClosed = true;
        held.values().forEach(Wire::close);
        held.clear();
        notifyAll();
    }

    /** One byte into an empty send buffer: does not block. */
    private static void answer(Wire wire, int verdict) {
        try {
            wire.write(ByteBuffer.wrap(new byte[] {(byte) verdict}));
        } catch (IOException e) {
            // The caller is gone and needs no answer.
        }
    }
}
