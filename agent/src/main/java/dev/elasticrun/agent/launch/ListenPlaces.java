/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.worker.contract.ListenPlace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Chooses where this node listens. Asks the operating system which addresses are its own. */
public final class ListenPlaces {
    // IPv4 or IPv6: needs no resolver.
    private static final Pattern NUMBER = Pattern.compile("[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(%[\\w.-]+)?");

    private static final String LOCALHOST = "localhost";

    private ListenPlaces() {}

    /**
     * The configured address; else the one that is published to other nodes, if it is an address of this machine, so
     * that a run on one machine is not open to others. An address of another machine (NAT) or a name does not show
     * where callers arrive: then all addresses.
     *
     * @param nodeAddress at which others reach this node
     */
    public static ListenPlace of(ListenOptions options, String nodeAddress) {
        InetAddress address =
                options.address().isPresent() ? own(options.address().get()) : ownNumber(nodeAddress);
        boolean everywhere = address == null || address.isAnyLocalAddress();
        return options.with(everywhere ? ListenPlace.EVERYWHERE : new ListenPlace(address, 0, 0));
    }

    /** Whether that is an address of this machine, or a name of one. */
    static boolean isOwn(String host) {
        try {
            return isOwn(InetAddress.getByName(host));
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether only this machine can reach them; each HOST:PORT. */
    public static boolean areLoopback(List<String> endpoints) {
        return endpoints.stream()
                .map(Endpoint::parse)
                .flatMap(Optional::stream)
                .allMatch(endpoint -> isLoopback(endpoint.host()));
    }

    /**
     * States what is wrong with the published address of this node, compared with that of another node; empty when
     * nothing is. Uses no resolver.
     */
    public static Optional<String> unreachable(String own, String otherNode, String other) {
        boolean wrong = isLoopbackNumber(own) && !isLoopbackNumber(other);
        return wrong
                ? Optional.of("other nodes cannot reach this one at " + own + ": node " + otherNode + " is at " + other
                        + " (expected: --local-addr with an address of this machine that they can reach)")
                : Optional.empty();
    }

    private static boolean isLoopbackNumber(String address) {
        return address.equals(LOCALHOST) || (NUMBER.matcher(address).matches() && isLoopback(address));
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static boolean isOwn(InetAddress address) throws IOException {
        return address.isAnyLocalAddress()
                || address.isLoopbackAddress()
                || NetworkInterface.getByInetAddress(address) != null;
    }

    private static InetAddress own(String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("--bind-addr: " + host + " has no address any more", e);
        }
    }

    private static @Nullable InetAddress ownNumber(String address) {
        if (address.equals(LOCALHOST)) {
            return InetAddress.getLoopbackAddress();
        }
        if (!NUMBER.matcher(address).matches()) {
            return null;
        }
        try {
            InetAddress number = InetAddress.getByName(address);
            return isOwn(number) ? number : null;
        } catch (IOException e) {
            return null;
        }
    }
}
