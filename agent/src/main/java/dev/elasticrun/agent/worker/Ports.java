/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.agent.process.PortReservation;
import dev.elasticrun.agent.rules.AgentEvent;
import dev.elasticrun.worker.contract.ListenPlace;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Owns the ports reserved for workers. A round's ports stay reserved until two later reservations were made; by then
 * their workers have bound them. Called by the agent's loop.
 */
public final class Ports implements AutoCloseable {
    private static final int KEPT = 2;

    private final ListenPlace place;
    private final boolean masterListens;
    private final Deque<List<PortReservation>> held = new ArrayDeque<>();

    /**
     * @param place where
     * @param masterListens whether the port for rank 0 is served by this agent, and listens until then
     */
    public Ports(ListenPlace place, boolean masterListens) {
        this.place = place;
        this.masterListens = masterListens;
    }

    /**
     * Reserves a port for rank 0, and one for each of {@code workers} workers; returns the end of the agent when the
     * port range is too small.
     */
    public AgentEvent reserve(int workers) throws IOException {
        List<PortReservation> reservations = new ArrayList<>();
        try {
            reservations.add(masterListens ? PortReservation.listening(place) : PortReservation.reserve(place));
            for (int i = 0; i < workers; i++) {
                reservations.add(PortReservation.forWorker(place));
            }
        } catch (IOException e) {
            reservations.forEach(PortReservation::close);
            if (place.hasRange()) {
                return new AgentEvent.Aborted(ExitCode.USAGE.code(), String.valueOf(e.getMessage()));
            }
            throw new IOException("cannot reserve " + (workers + 1) + " ports: " + e.getMessage(), e);
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

    /** What listens at a port that was reserved for rank 0, from now on the caller's; empty when it is not held. */
    Optional<ServerSocketChannel> take(int port) {
        return held.stream()
                .flatMap(List::stream)
                .filter(reservation -> reservation.port() == port)
                .findFirst()
                .flatMap(PortReservation::take);
    }

    /** What listens at any port, the caller's. */
    ServerSocketChannel listen() throws IOException {
        return PortReservation.listening(place).take().orElseThrow();
    }

    /** Releases that port, for a worker that does not bind a reserved one. */
    void release(int port) {
        held.stream()
                .flatMap(List::stream)
                .filter(reservation -> reservation.port() == port)
                .forEach(PortReservation::close);
    }

    @Override
    public void close() {
        held.forEach(reservations -> reservations.forEach(PortReservation::close));
        held.clear();
    }
}
