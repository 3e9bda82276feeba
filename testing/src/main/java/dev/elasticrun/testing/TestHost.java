/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import dev.elasticrun.cli.network.NetworkHost;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A host of a {@link TestNetwork}, with one agent and its workers. Any thread. */
public final class TestHost {
    private static final String NEEDS_RULES = "packet rules need nft of nftables";
    private static final int PER_MILLE = 10;
    private static final double ALL = 100;

    private final TestNetwork network;
    private final NetworkHost host;
    private final int number;
    // Guarded by the network.
    private final Set<String> cutFrom = new TreeSet<>();
    private int lossPerMille;

    TestHost(TestNetwork network, NetworkHost host, int number) {
        this.network = network;
        this.host = host;
        this.number = number;
    }

    /** That of its node. */
    public int number() {
        return number;
    }

    /** At which its agent and workers listen. */
    public String address() {
        return host.address();
    }

    /** Cuts it off from all others and from the store, as when its cable is pulled. Its processes go on. */
    public void cut() {
        network.change("cut of " + this, host::unplug);
    }

    /**
     * Loses packets that arrive here, at random, in place of those that it lost before. Needs nft of nftables.
     *
     * @param percent 0 to 100, in tenths; 0 = none is lost
     */
    public void lose(double percent) {
        if (!(percent >= 0 && percent <= ALL)) {
            throw new IllegalArgumentException("percent: " + percent + " (expected: 0 to 100)");
        }
        network.change(NEEDS_RULES, () -> {
            lossPerMille = (int) Math.round(percent * PER_MILLE);
            apply();
        });
    }

    /** Ends all faults of this host, those of its links included. */
    public void heal() {
        network.change("end of the faults of " + this, () -> {
            for (TestHost other : network.hosts()) {
                if (other.cutFrom.remove(address())) {
                    other.apply();
                }
            }
            cutFrom.clear();
            lossPerMille = 0;
            host.heal();
        });
    }

    void loseAllFrom(TestHost other) {
        network.change(NEEDS_RULES, () -> {
            cutFrom.add(other.address());
            apply();
        });
    }

    void loseNoneFrom(TestHost other) {
        network.change(NEEDS_RULES, () -> {
            if (cutFrom.remove(other.address())) {
                apply();
            }
        });
    }

    private void apply() {
        List<String> dropped = new ArrayList<>();
        cutFrom.forEach(address -> dropped.add("ip saddr " + address));
        if (lossPerMille > 0) {
            dropped.add(NetworkHost.share(lossPerMille));
        }
        host.dropOnly(dropped);
    }

    void close() {
        host.close();
    }

    @Override
    public String toString() {
        return "host " + number + " (" + address() + ")";
    }
}
