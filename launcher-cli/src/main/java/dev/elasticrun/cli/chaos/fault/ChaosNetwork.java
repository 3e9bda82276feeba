/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.fault;

import dev.elasticrun.cli.agents.AgentHosts;
import dev.elasticrun.cli.network.NetworkHost;
import dev.elasticrun.cli.network.NetworkSwitch;
import dev.elasticrun.cli.network.NetworkTools;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Hosts for agents on a switch of this process, whose namespace is its own. Ends with this process. One thread.
 */
public final class ChaosNetwork implements AgentHosts, AutoCloseable {
    /** Set for a process that has a network namespace of its own. */
    public static final String VARIABLE = "CHAOS_NETWORK";

    /** Where agents reach this process. */
    public static final String ADDRESS = "10.77.255.254";

    private static final String SUBNET = "10.77.";
    private static final int LAST_BYTE = 250;

    /** What is wanted; from {@link #disturb} on without what is not possible here. */
    private NetFaults faults;

    private final NetworkSwitch network;
    private final List<NetworkHost> hosts = new ArrayList<>();
    /** Until when each is cut off. */
    private final Map<NetworkHost, Long> cut = new HashMap<>();

    private boolean disturbs;

    private ChaosNetwork(NetFaults wanted, NetworkSwitch network) {
        this.faults = wanted;
        this.network = network;
    }

    /**
     * What to put before a command so that it runs where {@link #open} makes hosts. Blocks until that was tried.
     *
     * @param path as PATH has it
     * @throws IllegalStateException with the reason why it is not possible here
     */
    public static List<String> around(String path) {
        List<String> prefix = NetworkSwitch.around(NetworkTools.find(path), ADDRESS);
        List<String> command = new ArrayList<>(prefix);
        command.add("true");
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException("no network namespaces can be made here (expected: root, or user"
                        + " namespaces): " + output.strip());
            }
            return prefix;
        } catch (IOException e) {
            throw new IllegalStateException("no network namespaces can be made here: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /**
     * Makes hosts on the switch of this process.
     *
     * @param agents for how many
     * @throws IllegalStateException if the kernel does not allow it
     */
    public static ChaosNetwork open(NetFaults wanted, String path, int agents) {
        ChaosNetwork made = new ChaosNetwork(wanted, NetworkSwitch.here(NetworkTools.find(path)));
        try {
            for (int i = 0; i < agents; i++) {
                made.add();
            }
            return made;
        } catch (IllegalStateException e) {
            made.close();
            throw e;
        }
    }

    private NetworkHost add() {
        int number = hosts.size() + 1;
        NetworkHost host = network.host("host" + number, SUBNET + number / LAST_BYTE + "." + (number % LAST_BYTE + 1));
        hosts.add(host);
        return host;
    }

    /** A host that is not cut off and that none of these uses. */
    @Override
    public NetworkHost free(Collection<NetworkHost> used) {
        return hosts.stream()
                .filter(host -> !used.contains(host) && !cut.containsKey(host))
                .findFirst()
                .orElseGet(() -> disturbed(add()));
    }

    private NetworkHost disturbed(NetworkHost host) {
        if (disturbs && faults.lossPerMille() > 0) {
            host.lose(faults.lossPerMille());
        }
        if (disturbs && !faults.delay().isZero()) {
            host.delay(faults.delay());
        }
        return host;
    }

    /**
     * Begins to lose and to delay packets.
     *
     * @param leftOut receives a line for what is not possible here, with the reason
     */
    public void disturb(Consumer<String> leftOut) {
        int loss = faults.lossPerMille();
        Duration delay = faults.delay();
        boolean loses = loss > 0 && isDone("loss", leftOut, () -> hosts.forEach(host -> host.lose(loss)));
        boolean delays = !delay.isZero() && isDone("delay", leftOut, () -> hosts.forEach(host -> host.delay(delay)));
        faults = new NetFaults(loses ? loss : 0, delays ? delay : Duration.ZERO, faults.partition());
        disturbs = true;
    }

    /** What happens to the network: from {@link #disturb} on without what is not possible here. */
    public NetFaults faults() {
        return faults;
    }

    private static boolean isDone(String what, Consumer<String> leftOut, Runnable action) {
        try {
            action.run();
            return true;
        } catch (IllegalStateException e) {
            leftOut.accept(what + " is left out: " + e.getMessage());
            return false;
        }
    }

    boolean isCut(NetworkHost host) {
        return cut.containsKey(host);
    }

    /** Cuts a host off for the time of a partition. */
    void cut(NetworkHost host, long nowNanos) {
        cut.put(host, nowNanos + faults.partition().toNanos());
        host.unplug();
    }

    /** Connects hosts whose time is over. */
    public void mend(long nowNanos) {
        List<NetworkHost> due = cut.entrySet().stream()
                .filter(entry -> nowNanos - entry.getValue() >= 0)
                .map(Map.Entry::getKey)
                .toList();
        due.forEach(host -> {
            host.plug();
            cut.remove(host);
        });
    }

    /** Ends all faults. */
    public void heal() {
        cut.clear();
        disturbs = false;
        hosts.forEach(NetworkHost::heal);
    }

    /** Kills what still runs on the hosts. */
    @Override
    public void close() {
        hosts.forEach(NetworkHost::close);
    }
}
