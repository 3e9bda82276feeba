/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import dev.elasticrun.agent.config.ListenAddress;
import dev.elasticrun.worker.contract.ListenPlace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Binds ports for a moment, to see that they are free. */
final class PortProbe {
    private PortProbe() {}

    /**
     * What was found.
     *
     * @param range that was tried; empty = the operating system's
     * @param free how many of the range can be bound
     * @param busy ports with a purpose of their own that cannot be bound, and why
     * @param trouble why no port of the address can be bound; else empty
     */
    record Answer(String range, int free, List<String> busy, String trouble) {}

    /** @param own ports with a purpose of their own, by flag */
    static Answer ask(ListenPlace place, Map<String, ListenAddress> own) {
        List<String> busy = new ArrayList<>();
        own.forEach((flag, at) -> {
            try {
                bind(new InetSocketAddress(InetAddress.getByName(at.host()), at.port()));
            } catch (IOException e) {
                busy.add(flag + " " + at.text() + ": " + e.getMessage());
            }
        });
        try {
            bind(place.at(0));
        } catch (IOException e) {
            return new Answer(place.portRange(), 0, busy, place.at(0).getHostString() + ": " + e.getMessage());
        }
        return new Answer(place.portRange(), place.hasRange() ? free(place) : 0, busy, "");
    }

    private static int free(ListenPlace place) {
        int free = 0;
        for (int port = place.firstPort(); port <= place.lastPort(); port++) {
            try {
                bind(place.at(port));
                free++;
            } catch (IOException taken) {
                // Not counted.
            }
        }
        return free;
    }

    private static void bind(InetSocketAddress at) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(false);
            socket.bind(at);
        }
    }
}
