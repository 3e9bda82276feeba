/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.context;

import dev.elasticrun.agent.launch.Endpoint;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.rendezvous.record.NodeRecord;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The identity of this agent.
 *
 * @param nodeId host label and a random suffix: a restarted agent is a new node
 * @param address at which peers reach it
 * @param wishedPlace in the first order of ranks; {@link NodeRecord.Reports#ANY_PLACE} = it has no wish
 */
public record NodeIdentity(String nodeId, String hostLabel, String address, int wishedPlace) {
    /** Of no host (RFC 5737): the way to it is the default route. For stores that are not at a HOST:PORT. */
    private static final Endpoint ELSEWHERE = new Endpoint("192.0.2.1", 9);

    private static final int SUFFIX_BYTES = 4;

    static NodeIdentity create(LaunchConfig config, SecureRandom random) {
        byte[] suffix = new byte[SUFFIX_BYTES];
        random.nextBytes(suffix);
        String host = kernelHostName();
        return new NodeIdentity(
                host + "-" + HexFormat.of().formatHex(suffix),
                host,
                addressTowards(config),
                config.store().nodeRank().orElse(NodeRecord.Reports.ANY_PLACE));
    }

    private static String kernelHostName() {
        try {
            String name = Files.readString(Path.of("/proc/sys/kernel/hostname")).trim();
            String label = name.replaceAll("[^A-Za-z0-9.-]", "-").replaceAll("^[^A-Za-z0-9]+", "");
            return label.isEmpty() ? "localhost" : label;
        } catch (IOException e) {
            return "localhost";
        }
    }

    // The address of the interface that leads to the store: connecting a datagram socket only reads the routing table.
    private static String addressTowards(LaunchConfig config) {
        if (config.store().localAddr().isPresent()) {
            return config.store().localAddr().get();
        }
        if (config.store().meetsNobody()) {
            return "127.0.0.1";
        }
        Endpoint endpoint = Endpoint.parse(config.store().endpoints().get(0)).orElse(ELSEWHERE);
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(endpoint.host(), endpoint.port()));
            InetAddress local = socket.getLocalAddress();
            return local.isAnyLocalAddress() ? "127.0.0.1" : local.getHostAddress();
        } catch (IOException | IllegalArgumentException e) {
            return "127.0.0.1";
        }
    }
}
