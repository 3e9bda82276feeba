/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the processes of one node listen, where no port is given. Immutable.
 *
 * @param address of this machine; null = all of them
 * @param firstPort of the range that ports are taken from; 0 = the operating system chooses, of its own range
 * @param lastPort of the range, included
 */
@SuppressWarnings("exports")
public record ListenPlace(@Nullable InetAddress address, int firstPort, int lastPort) {
    public static final ListenPlace EVERYWHERE = new ListenPlace(null, 0, 0);
    public static final ListenPlace LOOPBACK = new ListenPlace(InetAddress.getLoopbackAddress(), 0, 0);

    private static final int MAX_PORT = 65_535;
    private static final String EXPECTED = "A-B with 1 <= A <= B <= " + MAX_PORT;
    private static final Pattern RANGE = Pattern.compile("(\\d{1,5})-(\\d{1,5})");

    public ListenPlace {
        boolean anyPort = firstPort == 0 && lastPort == 0;
        if (!anyPort && (firstPort < 1 || lastPort < firstPort || lastPort > MAX_PORT)) {
            throw new IllegalArgumentException(EXPECTED);
        }
    }

    /** Opens a listener. */
    @FunctionalInterface
    public interface Opening<T> {
        /** @throws IOException when something else has that port, among other reasons */
        T at(InetSocketAddress place) throws IOException;
    }

    /**
     * The same address with other ports.
     *
     * @throws IllegalArgumentException that names what is expected
     */
    public ListenPlace withPorts(String range) {
        Matcher matcher = RANGE.matcher(range);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return new ListenPlace(address, Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }

    /**
     * Reads the place that the agent specified for a worker, from {@link WorkerEnv#BIND_ADDR} and {@link
     * WorkerEnv#PORT_RANGE}.
     */
    public static ListenPlace of(Map<String, String> environment) throws UnknownHostException {
        String host = environment.getOrDefault(WorkerEnv.BIND_ADDR, "");
        String range = environment.getOrDefault(WorkerEnv.PORT_RANGE, "");
        ListenPlace place = new ListenPlace(host.isEmpty() ? null : InetAddress.getByName(host), 0, 0);
        return range.isEmpty() ? place : place.withPorts(range);
    }

    /** Whether ports are taken from a range. */
    public boolean hasRange() {
        return firstPort > 0;
    }

    /** The range in the form that {@link #withPorts} reads; empty without one. */
    public String portRange() {
        return hasRange() ? firstPort + "-" + lastPort : "";
    }

    /** Whether other hosts may reach what listens here. */
    public boolean isExposed() {
        return address == null || !address.isLoopbackAddress();
    }

    /** That port of this place's address. */
    public InetSocketAddress at(int port) {
        return new InetSocketAddress(address, port);
    }

    /**
     * Opens a listener at a port that is free: port 0, or one of the range after the other, from a random one on, so that
     * processes which start together seldom try the same.
     *
     * @throws IOException of the opening; when each port of the range is taken, one that names the range
     */
    public <T> T open(Opening<T> opening) throws IOException {
        if (!hasRange()) {
            return opening.at(at(0));
        }
        int count = lastPort - firstPort + 1;
        int start = ThreadLocalRandom.current().nextInt(count);
        IOException last = null;
        for (int i = 0; i < count; i++) {
            try {
                return opening.at(at(firstPort + (start + i) % count));
            } catch (IOException e) {
                if (!isForThisPort(e)) {
                    throw e;
                }
                last = e;
            }
        }
        throw new IOException(
                "--port-range: " + portRange() + " has no free port left (expected: one for each listener of this node"
                        + " at the same time, and some more, as a port is not free for a minute after its last"
                        + " connection)",
                last);
    }

    /** Whether another port may do. The exception is of one class for all reasons, and its text in the user's language. */
    private boolean isForThisPort(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BindException) {
                return isOurs();
            }
        }
        return false;
    }

    /** Whether the address is one of this machine. */
    private boolean isOurs() {
        try (ServerSocket any = new ServerSocket()) {
            any.bind(at(0));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
