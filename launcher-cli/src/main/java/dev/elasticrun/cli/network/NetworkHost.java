/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.network;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A host: a namespace with an address, on a cable to a switch. All methods that change it block until the kernel has done
 * so, and throw {@link IllegalStateException} with the command that failed. Not thread-safe.
 */
public final class NetworkHost implements AutoCloseable {
    private static final String TABLE = "inet faults";
    private static final String CHAIN =
            "add table " + TABLE + "; add chain " + TABLE + " input { type filter hook input priority 0; }; ";
    private static final String DEVICE = "eth0";
    private static final int ALL = 1000;

    private final Namespace hub;
    private final Namespace own;
    private final NetworkTools tools;
    private final String port;
    private final String address;
    private final String width;
    private boolean filters;
    private boolean delays;

    NetworkHost(Namespace hub, String network, NetworkTools tools, String name, String address, String width) {
        this.hub = hub;
        this.tools = tools;
        this.address = address;
        this.width = width;
        port = "to-" + name;
        own = hub.another(name);
        try {
            String pid = Long.toString(own.pid());
            hub.run(tools.ip(), "link", "add", port, "type", "veth", "peer", "name", DEVICE, "netns", pid);
            hub.run(tools.ip(), "link", "set", port, "master", network, "up");
            own.run(tools.ip(), "link", "set", "lo", "up");
            addAddress(address);
            own.run(tools.ip(), "link", "set", DEVICE, "up");
        } catch (IllegalStateException e) {
            own.close();
            throw e;
        }
    }

    /** The address that it was made with. */
    public String address() {
        return address;
    }

    /** What to put before a command so that it runs on this host. */
    public List<String> enter() {
        return own.enter();
    }

    public Namespace namespace() {
        return own;
    }

    /** Gives it one more address. */
    public void addAddress(String another) {
        own.run(tools.ip(), "address", "add", another + width, "dev", DEVICE);
    }

    /** Pulls the cable: packets are lost in both directions, and no process is notified. */
    public void unplug() {
        hub.run(tools.ip(), "link", "set", port, "down");
    }

    public void plug() {
        hub.run(tools.ip(), "link", "set", port, "up");
    }

    /**
     * Loses packets that arrive here from other hosts, at random.
     *
     * @param perMille 0 to 1000
     */
    public void lose(int perMille) {
        drop(share(perMille));
    }

    /**
     * Drops packets that arrive here.
     *
     * @param which expression of nft
     */
    public void drop(String which) {
        rules(CHAIN + rule(which));
        filters = true;
    }

    /**
     * Drops packets that arrive here and that one of these matches, in place of all that were dropped before.
     *
     * @param which expressions of nft; empty = no packet is dropped
     */
    public void dropOnly(List<String> which) {
        if (!which.isEmpty() || filters) {
            rules("add table " + TABLE + "; delete table " + TABLE + "; " + CHAIN
                    + which.stream().map(NetworkHost::rule).collect(Collectors.joining()));
            filters = true;
        }
    }

    /** An expression of nft for a part of what arrives from other hosts, at random. */
    public static String share(int perMille) {
        return "iifname " + DEVICE + (perMille < ALL ? " numgen random mod " + ALL + " < " + perMille : "");
    }

    private static String rule(String which) {
        return "add rule " + TABLE + " input " + which + " drop; ";
    }

    /** Delays all packets that leave here for other hosts; needs the kernel's netem. */
    public void delay(Duration time) {
        own.run(tools.tc(), "qdisc", "add", "dev", DEVICE, "root", "netem", "delay", time.toMillis() + "ms");
        delays = true;
    }

    /** Ends all faults. */
    public void heal() {
        if (filters) {
            rules("delete table " + TABLE);
            filters = false;
        }
        if (delays) {
            own.run(tools.tc(), "qdisc", "del", "dev", DEVICE, "root");
            delays = false;
        }
        plug();
    }

    /** Changes the packet rules of this host by a script of nft. */
    public void rules(String script) {
        own.run(tools.nft(), script);
    }

    /** Kills what runs here. */
    @Override
    public void close() {
        own.close();
    }
}
