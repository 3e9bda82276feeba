/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import dev.elasticrun.cli.network.Namespace;
import dev.elasticrun.cli.network.NetworkTools;
import dev.elasticrun.rendezvous.store.MachinePart;
import java.util.List;

/**
 * Some of the packets between nodes arrive twice, and some go by one more node, which sends slowly, so that later ones
 * overtake them; until closed.
 */
final class Disorder implements AutoCloseable {
    private static final String TABLE = "ip disorder";
    private static final String MARK = "7";
    private static final String ROUTES = "100";
    /** Of what is sent as one piece, 64 KiB take a fortieth of a second. */
    private static final String RATE = "20mbit";

    private final List<NetworkNode> nodes;
    private final NetworkNode detour;
    private final NetworkTools tools;

    private Disorder(List<NetworkNode> nodes, NetworkNode detour, NetworkTools tools) {
        this.nodes = nodes;
        this.detour = detour;
        this.tools = tools;
    }

    /**
     * @param percent of the packets of each kind
     * @param detour the node that sends slowly
     */
    static Disorder open(List<NetworkNode> nodes, NetworkNode detour, int percent, NetworkTools tools) {
        Disorder disorder = new Disorder(nodes, detour, tools);
        try {
            Namespace slow = detour.namespace();
            slow.run("sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward");
            // Else nodes learn that there is a shorter way.
            slow.run("sh", "-c", "for file in /proc/sys/net/ipv4/conf/*/send_redirects; do echo 0 > $file; done");
            slow.run(
                    tools.tc(),
                    "qdisc",
                    "add",
                    "dev",
                    "eth0",
                    "root",
                    "tbf",
                    "rate",
                    RATE,
                    "burst",
                    "1600",
                    "limit",
                    "200000");
            nodes.forEach(node -> disorder.lead(node, percent));
            return disorder;
        } catch (IllegalStateException e) {
            disorder.close();
            MachinePart.missing("a kernel that duplicates packets, routes by marks and sends slowly", e);
            throw e;
        }
    }

    private void lead(NetworkNode node, int percent) {
        Namespace namespace = node.namespace();
        namespace.run(tools.ip(), "rule", "add", "fwmark", MARK, "table", ROUTES);
        namespace.run(tools.ip(), "route", "add", "default", "via", detour.address(), "dev", "eth0", "table", ROUTES);
        String some = " oifname eth0 numgen random mod 100 < " + percent;
        node.rules("add table " + TABLE + "; add chain " + TABLE
                + " late { type route hook output priority 0; }; add chain " + TABLE
                + " twice { type filter hook postrouting priority 0; }; add rule " + TABLE + " late" + some
                + " meta mark set " + MARK + "; add rule " + TABLE + " twice" + some + " dup to ip daddr device eth0");
    }

    @Override
    public void close() {
        for (NetworkNode node : nodes) {
            // Each without an error where it never was.
            node.rules("add table " + TABLE + "; delete table " + TABLE);
            node.namespace()
                    .run(
                            "sh",
                            "-c",
                            "$0 rule del fwmark " + MARK + "; $0 route flush table " + ROUTES + "; true",
                            tools.ip());
        }
        detour.namespace().close();
    }
}
