/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import dev.elasticrun.cli.agents.AgentHosts;
import dev.elasticrun.cli.network.Namespace;
import dev.elasticrun.cli.network.NetworkHost;
import dev.elasticrun.cli.network.NetworkSwitch;
import dev.elasticrun.cli.network.NetworkTools;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.opentest4j.TestAbortedException;

/**
 * Hosts on one switch, one for each agent of a run, made of network namespaces of this machine: each has a host name and an
 * address of its own. Agents and workers reach each other and the store of the run, and nothing else. Obtained by {@link
 * ElasticRun#network()} or {@link ElasticRun#networkOrSkip()}; ends with the run.
 *
 * <p>Any thread may call it. A fault has begun, or has ended, when its method returns; no process is notified of it. What
 * this machine cannot do is an {@link IllegalStateException}, or skips the test if it was asked for so; either way the
 * message has the program or the right that is missing.
 */
public final class TestNetwork {
    /** Where the store of the run is reached. */
    static final String STORE = "10.77.255.254";

    private static final String SUBNET = "10.77.";
    private static final int LAST_BYTE = 250;
    private static final String NEEDED = "root or user namespaces, ip of iproute2, unshare and nsenter of util-linux";

    private final BiFunction<String, Throwable, RuntimeException> missing;
    private final Namespace hub;
    private final NetworkSwitch network;
    // Guarded by this.
    private final List<TestHost> hosts = new ArrayList<>();

    private TestNetwork(BiFunction<String, Throwable, RuntimeException> missing, Namespace hub, NetworkSwitch network) {
        this.missing = missing;
        this.hub = hub;
        this.network = network;
    }

    /**
     * Makes the switch.
     *
     * @param path where programs are looked for, as PATH has it
     * @param skips whether what is missing skips the test
     */
    static TestNetwork open(String path, boolean skips) {
        BiFunction<String, Throwable, RuntimeException> missing =
                skips ? TestAbortedException::new : IllegalStateException::new;
        Optional<Namespace> hub = Optional.empty();
        try {
            NetworkTools tools = NetworkTools.find(path);
            hub = Optional.of(Namespace.first("switch"));
            return new TestNetwork(missing, hub.get(), NetworkSwitch.make(hub.get(), tools, STORE));
        } catch (IllegalStateException e) {
            hub.ifPresent(Namespace::close);
            throw missing.apply("no network for the test: " + e.getMessage() + " (expected: " + NEEDED + ")", e);
        }
    }

    /** All hosts, in the order in which their agents were started. */
    public synchronized List<TestHost> hosts() {
        return List.copyOf(hosts);
    }

    /**
     * The host of an agent that was started, also if it has ended.
     *
     * @param number that of its node: from 1, in the order of starts
     */
    public synchronized TestHost host(int number) {
        if (number < 1 || number > hosts.size()) {
            throw new IllegalArgumentException(
                    "host: " + number + " (expected: 1 to " + hosts.size() + ", one for each node that was started)");
        }
        return hosts.get(number - 1);
    }

    /** Neither of two hosts receives from the other any more; both reach all others. Needs nft of nftables. */
    public synchronized void cut(TestHost one, TestHost other) {
        one.loseAllFrom(other);
        other.loseAllFrom(one);
    }

    /** Ends {@link #cut}. */
    public synchronized void heal(TestHost one, TestHost other) {
        one.loseNoneFrom(other);
        other.loseNoneFrom(one);
    }

    /** Ends all faults of all hosts. */
    public void heal() {
        hosts().forEach(TestHost::heal);
    }

    /** Where agents are started: each on a host of its own. */
    AgentHosts agents() {
        return used -> add();
    }

    private synchronized NetworkHost add() {
        int number = hosts.size() + 1;
        NetworkHost host = network.host("host" + number, SUBNET + number / LAST_BYTE + "." + (number % LAST_BYTE + 1));
        hosts.add(new TestHost(this, host, number));
        return host;
    }

    /** What to put before a command so that it runs at the address of the store. */
    List<String> enter() {
        return hub.enter();
    }

    /** Injects a fault into a host, or ends one. */
    synchronized void change(String fault, Runnable change) {
        try {
            change.run();
        } catch (IllegalStateException e) {
            throw missing.apply(fault + ": " + e.getMessage(), e);
        }
    }

    /** Kills what still runs on the hosts. */
    synchronized void close() {
        hosts.forEach(TestHost::close);
        hub.close();
    }
}
