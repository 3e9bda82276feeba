/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import dev.elasticrun.cli.network.Namespace;
import dev.elasticrun.cli.network.NetworkHost;
import java.util.List;

/** A host of the lab, and what only tests do with it. Not thread-safe. */
public final class NetworkNode {
    private static final int PER_MILLE = 10;

    private final NetworkHost host;

    NetworkNode(NetworkHost host) {
        this.host = host;
    }

    public String address() {
        return host.address();
    }

    /** What to put before a command so that it runs on this node. */
    public List<String> enter() {
        return host.enter();
    }

    /** Pulls the cable: packets are lost in both directions, and no process is notified. */
    public void unplug() {
        host.unplug();
    }

    public void plug() {
        host.plug();
    }

    /** Neither receives from the other any more. */
    public static void cut(NetworkNode one, NetworkNode other) {
        one.loseAllFrom(other);
        other.loseAllFrom(one);
    }

    /** What the other one sends never arrives here. */
    public void loseAllFrom(NetworkNode other) {
        host.drop("ip saddr " + other.address());
    }

    /**
     * Loses packets that arrive here from other nodes, at random.
     *
     * @param percent 0 to 100
     */
    public void lose(int percent) {
        host.lose(percent * PER_MILLE);
    }

    /** What the kernel has counted of a kind of event of TCP on this node, by its name in {@code /proc/net/netstat}. */
    public long counted(String event) {
        List<String[]> lines = namespace()
                .read("cat", "/proc/net/netstat")
                .lines()
                .filter(line -> line.startsWith("TcpExt:"))
                .map(line -> line.split(" "))
                .toList();
        int column = List.of(lines.get(0)).indexOf(event);
        return Long.parseLong(lines.get(1)[column]);
    }

    /** As it was in the beginning. */
    public void heal() {
        host.heal();
    }

    void addAddress(String another) {
        host.addAddress(another);
    }

    Namespace namespace() {
        return host.namespace();
    }

    void rules(String script) {
        host.rules(script);
    }
}
