/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.process.PortReservation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Ports held for workers. What was reserved for a round stays reserved until two later reservations were made, by when
 * whoever was to bind it has. Called by the agent's loop.
 */
final class Ports implements AutoCloseable {
    private static final int KEPT = 2;

    private final Deque<List<PortReservation>> held = new ArrayDeque<>();

    /** A port for rank 0, and one for each of so many workers. */
    AgentEvent.PortsReserved reserve(int workers) {
        List<PortReservation> reservations = new ArrayList<>();
        try {
            for (int i = 0; i <= workers; i++) {
                reservations.add(PortReservation.reserve(null));
            }
        } catch (IOException e) {
            reservations.forEach(PortReservation::close);
            throw new UncheckedIOException("cannot reserve " + (workers + 1) + " ports", e);
        }
        held.addLast(reservations);
        while (held.size() > KEPT) {
            held.removeFirst().forEach(PortReservation::close);
        }
        return new AgentEvent.PortsReserved(
                reservations.get(0).port(),
                reservations.subList(1, reservations.size()).stream()
                        .map(PortReservation::port)
                        .toList());
    }

    @Override
    public void close() {
        held.forEach(reservations -> reservations.forEach(PortReservation::close));
        held.clear();
    }
}
