/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
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

    private final Map<Seat, SocketChannel> held = new HashMap<>();
    private long round;
    private boolean isClosed;

    private record Seat(long round, int rank) {}

    synchronized void offer(Hello hello, SocketChannel channel) {
        if (isClosed || held.size() >= MAX_HELD) {
            close(channel);
        } else if (hello.round() < round) {
            answer(channel, Handshake.OLD_ROUND);
            close(channel);
        } else {
            SocketChannel earlier = held.put(new Seat(hello.round(), hello.from()), channel);
            if (earlier != null) {
                close(earlier);
            }
            notifyAll();
        }
    }

    /** From now on older rounds are over. A round may be entered again: it can be closed and reopened. */
    synchronized void enter(long newRound) {
        round = Math.max(round, newRound);
        Iterator<Map.Entry<Seat, SocketChannel>> calls = held.entrySet().iterator();
        while (calls.hasNext()) {
            Map.Entry<Seat, SocketChannel> call = calls.next();
            if (call.getKey().round() < round) {
                answer(call.getValue(), Handshake.OLD_ROUND);
                close(call.getValue());
                calls.remove();
            }
        }
    }

    synchronized Optional<SocketChannel> poll(long ofRound, int rank) {
        return Optional.ofNullable(held.remove(new Seat(ofRound, rank)));
    }

    synchronized void close() {
        isClosed = true;
        held.values().forEach(PeerLobby::close);
        held.clear();
        notifyAll();
    }

    /** One byte into an empty send buffer: does not block. */
    private static void answer(SocketChannel channel, int verdict) {
        try {
            channel.write(ByteBuffer.wrap(new byte[] {(byte) verdict}));
        } catch (IOException e) {
            // The caller is gone and needs no answer.
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // The descriptor is gone either way.
        }
    }
}
