/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.dist;

import java.io.IOException;
import java.util.List;

/** Two hosts, as network namespaces with a cable between them. Needs root and {@code ip} of iproute2. */
final class NetworkPair implements AutoCloseable {
    private static final String SCRIPT = """
            set -e
            for host in 1 2; do
                ip netns add "$1-$host"
                ip -n "$1-$host" link set lo up
            done
            ip link add name cable netns "$1-1" type veth peer name cable netns "$1-2"
            for host in 1 2; do
                ip -n "$1-$host" address add "10.78.0.$host/24" dev cable
                ip -n "$1-$host" link set cable up
            done
            """;

    private static final String REMOVAL = """
            for host in 1 2; do
                [ ! -e "/run/netns/$1-$host" ] || ip netns delete "$1-$host"
            done
            """;

    private final String name;

    private NetworkPair(String name) {
        this.name = name;
    }

    static NetworkPair open() throws IOException, InterruptedException {
        NetworkPair pair = new NetworkPair("dist-" + ProcessHandle.current().pid());
        try {
            Product.run("sh", "-c", SCRIPT, "network", pair.name);
            return pair;
        } catch (IOException | InterruptedException | RuntimeException e) {
            pair.close();
            throw e;
        }
    }

    /** @param host 1 or 2 */
    static String address(int host) {
        return "10.78.0." + host;
    }

    /** What to put before a command so that it runs on that host. */
    List<String> enter(int host) {
        return List.of("ip", "netns", "exec", name + "-" + host);
    }

    /** The cable ends with the namespaces. */
    @Override
    public void close() throws IOException {
        try {
            Product.run("sh", "-c", REMOVAL, "network", name);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
