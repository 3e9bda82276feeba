/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import java.util.List;

/** A host of the lab: a namespace with one address, on a cable to the lab's switch. Not thread-safe. */
public final class NetworkNode {
    private static final String TABLE = "faults";

    private final Namespace lab;
    private final Namespace own;
    private final NetworkTools tools;
    private final String port;
    private final String address;

    NetworkNode(Namespace lab, NetworkTools tools, String name, String address) {
        this.lab = lab;
        this.tools = tools;
        this.address = address;
        port = "to-" + name;
        own = lab.another(name);
        lab.run(tools.ip(), "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", pid());
        lab.run(tools.ip(), "link", "set", port, "master", NetworkLab.SWITCH, "up");
        own.run(tools.ip(), "link", "set", "lo", "up");
        addAddress(address);
        own.run(tools.ip(), "link", "set", "eth0", "up");
        rules("add table inet " + TABLE + "; add chain inet " + TABLE
                + " input { type filter hook input priority 0; }");
    }

    public String address() {
        return address;
    }

    /** What to put before a command so that it runs on this node. */
    public List<String> enter() {
        return own.enter();
    }

    /** Pulls the cable: nobody is told, packets are gone in both directions. */
    public void unplug() {
        lab.run(tools.ip(), "link", "set", port, "down");
    }

    public void plug() {
        lab.run(tools.ip(), "link", "set", port, "up");
    }

    /** Neither hears from the other any more. */
    public static void cut(NetworkNode one, NetworkNode other) {
        one.loseAllFrom(other);
        other.loseAllFrom(one);
    }

    /** What the other one sends never arrives here. */
    public void loseAllFrom(NetworkNode other) {
        rules("add rule inet " + TABLE + " input ip saddr " + other.address + " drop");
    }

    /**
     * Loses packets that arrive here from other nodes, at random.
     *
     * @param percent 0 to 100
     */
    public void lose(int percent) {
        rules("add rule inet " + TABLE + " input iifname eth0 numgen random mod 100 < " + percent + " drop");
    }

    /** What the kernel has counted of a kind of event of TCP on this node, by its name in {@code /proc/net/netstat}. */
    public long counted(String event) {
        List<String[]> lines = own.read("cat", "/proc/net/netstat")
                .lines()
                .filter(line -> line.startsWith("TcpExt:"))
                .map(line -> line.split(" "))
                .toList();
        int column = List.of(lines.get(0)).indexOf(event);
        return Long.parseLong(lines.get(1)[column]);
    }

    /** As it was in the beginning. */
    public void heal() {
        rules("flush table inet " + TABLE);
        plug();
    }

    void addAddress(String another) {
        own.run(tools.ip(), "address", "add", another + "/16", "dev", "eth0");
    }

    Namespace namespace() {
        return own;
    }

    void rules(String script) {
        own.run(tools.nft(), script);
    }

    private String pid() {
        return Long.toString(own.pid());
    }
}
