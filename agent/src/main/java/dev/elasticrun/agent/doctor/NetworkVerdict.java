/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

/** Whether other nodes can reach this one. Pure. */
final class NetworkVerdict {
    private static final String ADDRESS = "advertised address";
    private static final String PORTS = "ports";
    /** An agent's own port, the one that is reserved for rank 0, and as many again in reserve for the next round. */
    private static final int OF_AN_AGENT = 4;

    private NetworkVerdict() {}

    /**
     * @param address at which other nodes would reach this one
     * @param place what that is
     * @param hasPeers whether the run may have other nodes
     */
    static Check address(String address, AddressPlace place, boolean hasPeers) {
        return switch (place) {
            case LOOPBACK ->
                hasPeers
                        ? Check.error(
                                ADDRESS,
                                address + ", which only this machine reaches",
                                "give --local-addr an address at which other nodes reach this one")
                        : Check.ok(ADDRESS, address + ", which only this machine reaches");
            case OF_THIS_MACHINE -> Check.ok(ADDRESS, address);
            case ELSEWHERE ->
                Check.ok(ADDRESS, address + ", which is not one of this machine: it has to be translated to one");
            case UNKNOWN ->
                Check.error(
                        ADDRESS,
                        address + ", a name that is not known here",
                        "give --local-addr a number, or a name that is known");
        };
    }

    /** What an address is, seen from this machine. */
    enum AddressPlace {
        LOOPBACK,
        OF_THIS_MACHINE,
        ELSEWHERE,
        UNKNOWN
    }

    static Check ports(PortProbe.Answer answer, NodeLoad load) {
        int needed = OF_AN_AGENT + 2 * load.workers();
        if (!answer.busy().isEmpty()) {
            return Check.error(PORTS, String.join("; ", answer.busy()), "choose other ports, or end what has them");
        } else if (!answer.trouble().isEmpty()) {
            return Check.error(
                    PORTS,
                    answer.trouble(),
                    "give --bind-addr an address of this machine, and --port-range free ports");
        } else if (answer.range().isEmpty()) {
            return Check.ok(PORTS, "any of the operating system's can be bound");
        }
        String found = answer.free() + " of --port-range " + answer.range() + " are free";
        return answer.free() >= needed
                ? Check.ok(PORTS, found)
                : Check.error(
                        PORTS,
                        found,
                        "give --port-range at least " + needed + " free ports: " + OF_AN_AGENT
                                + " and two for each worker");
    }
}
