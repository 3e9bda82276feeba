/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.network;

import java.util.ArrayList;
import java.util.List;

/** A bridge of the kernel in a namespace, to which hosts are connected. Ends with the namespace. Not thread-safe. */
public final class NetworkSwitch {
    private static final String NAME = "switch";
    private static final String WIDTH = "/16";
    private static final String MAKE = """
            "$0" link set lo up && "$0" link add "$1" type bridge && "$0" link set "$1" up &&
            "$0" address add "$2" dev "$1" && shift 2 && exec "$@"
            """;

    private final Namespace hub;
    private final NetworkTools tools;

    private NetworkSwitch(Namespace hub, NetworkTools tools) {
        this.hub = hub;
        this.tools = tools;
    }

    /**
     * Makes the bridge.
     *
     * @throws IllegalStateException if the kernel does not allow it; names the command that failed
     */
    public static NetworkSwitch make(Namespace hub, NetworkTools tools) {
        hub.run(tools.ip(), "link", "add", NAME, "type", "bridge");
        hub.run(tools.ip(), "link", "set", NAME, "up");
        return new NetworkSwitch(hub, tools);
    }

    /**
     * The same, with an address at which hosts reach what listens in the namespace of the bridge.
     *
     * @param address of IPv4, in the network of the hosts
     */
    public static NetworkSwitch make(Namespace hub, NetworkTools tools, String address) {
        NetworkSwitch made = make(hub, tools);
        hub.run(tools.ip(), "link", "set", "lo", "up");
        hub.run(tools.ip(), "address", "add", address + WIDTH, "dev", NAME);
        return made;
    }

    /**
     * What to put before a command so that it runs in a namespace of its own with a switch, which is {@link #here} for it,
     * and with a loopback interface.
     *
     * @param address at which hosts reach what listens there
     */
    public static List<String> around(NetworkTools tools, String address) {
        List<String> prefix = new ArrayList<>(Namespace.fresh());
        prefix.addAll(List.of("sh", "-c", MAKE, tools.ip(), NAME, address + WIDTH));
        return prefix;
    }

    /** The switch in the namespace of this JVM, which was started by {@link #around}. */
    public static NetworkSwitch here(NetworkTools tools) {
        return new NetworkSwitch(Namespace.here(), tools);
    }

    /**
     * Makes a host with a cable to this switch.
     *
     * @param name host name, at most 12 characters
     * @param address of IPv4, in the network of 16 bits that all hosts share
     */
    public NetworkHost host(String name, String address) {
        return new NetworkHost(hub, NAME, tools, name, address, WIDTH);
    }
}
