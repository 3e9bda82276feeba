/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import dev.elasticrun.cli.network.Namespace;
import dev.elasticrun.cli.network.NetworkSwitch;
import dev.elasticrun.cli.network.NetworkTools;
import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.rendezvous.store.FetchedPrograms;
import dev.elasticrun.rendezvous.store.MachinePart;
import dev.elasticrun.testing.Patience;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Nodes with addresses of their own, and one more for an etcd, on one switch: network namespaces of this machine, for the
 * tests of a class. Needs no root where users may make namespaces. Where they may not, see
 * {@link MachinePart}. All nodes are healed after each test; nothing is left after the last one.
 */
public final class NetworkLab implements BeforeAllCallback, AfterEachCallback, AfterAllCallback, AutoCloseable {
    private static final String SUBNET = "10.77.0.";
    private static final int STORE = 100;
    private static final int RELAY = 101;
    private static final int SLOW = 102;
    private static final Duration GONE_WITHIN = Duration.ofSeconds(5);

    private final int size;
    private final List<NetworkNode> nodes = new ArrayList<>();
    private @Nullable NetworkTools tools;
    private @Nullable Namespace hub;
    private @Nullable NetworkSwitch network;
    private @Nullable NetworkNode store;
    private @Nullable EtcdProcess etcd;
    private @Nullable Detour detour;
    private @Nullable Disorder disorder;

    /** The kernel, or who configured it, does not let us make network namespaces. */
    public static final class UnavailableException extends IllegalStateException {
        private UnavailableException(IllegalStateException cause) {
            super(
                    "no network namespaces on this machine (expected: root, or user namespaces): " + cause.getMessage(),
                    cause);
        }
    }

    /** A lab of so many nodes beside that of the store. */
    public NetworkLab(int size) {
        this.size = size;
    }

    /** The nodes in the order of their names and addresses. */
    public NetworkNode node(int index) {
        return nodes.get(index);
    }

    public NetworkNode store() {
        return Objects.requireNonNull(store, "store");
    }

    public EtcdProcess etcd() {
        return Objects.requireNonNull(etcd, "etcd");
    }

    /** Delays what is sent on connections that begin from now on, in each direction, until the end of the test. */
    public void delay(Duration time) {
        NetworkNode relay = another("relay", RELAY);
        String endpoint = etcd().endpoint();
        detour = Detour.open(all(), relay, time, endpoint.substring(endpoint.lastIndexOf(':') + 1));
    }

    /**
     * Of what nodes send from now on some packets arrive twice, and some after those that were sent later, until the end of
     * the test.
     *
     * @param percent of each kind, 0 to 100
     */
    public void disorder(int percent) {
        disorder = Disorder.open(all(), another("slow", SLOW), percent, Objects.requireNonNull(tools, "tools"));
    }

    private NetworkNode another(String name, int number) {
        return new NetworkNode(Objects.requireNonNull(network, "network").host(name, SUBNET + number));
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        try {
            open();
        } catch (UnavailableException e) {
            MachinePart.missing("what the network lab takes", e);
        }
    }

    /**
     * Outside of tests: makes all this; {@link #close} ends it.
     *
     * @throws UnavailableException if this machine has no network namespaces for us
     */
    public NetworkLab open() throws IOException {
        NetworkTools found =
                new NetworkTools(fetched("iproute2", "ip"), fetched("iproute2", "tc"), fetched("nftables", "nft"));
        tools = found;
        try {
            connect(found);
        } catch (IllegalStateException e) {
            close();
            throw new UnavailableException(e);
        }
        etcd = EtcdProcess.start(
                Files.createTempDirectory("lab-etcd-"), new EtcdProcess.Place(store().enter(), store().address()));
        return this;
    }

    private void connect(NetworkTools found) {
        Namespace first = Namespace.first("lab");
        hub = first;
        network = NetworkSwitch.make(first, found);
        store = another("store", STORE);
        store.rules("add table inet trial; delete table inet trial");
        for (int i = 1; i <= size; i++) {
            nodes.add(another("node" + i, i));
        }
    }

    private static String fetched(String packageName, String program) {
        return FetchedPrograms.directory(packageName, List.of(packageName), List.of(program))
                .resolve(program)
                .toString();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (detour != null) {
            detour.close();
            detour = null;
        }
        if (disorder != null) {
            disorder.close();
            disorder = null;
        }
        all().forEach(NetworkNode::heal);
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        List<String> links = new ArrayList<>();
        List<Closeable> pins = new ArrayList<>();
        try {
            for (NetworkNode node : all()) {
                Path link = Path.of("/proc", Long.toString(node.namespace().pid()), "ns/net");
                // Keeps the kernel from giving its number to another namespace.
                pins.add(new FileInputStream(link.toFile()));
                links.add(Files.readSymbolicLink(link).toString());
            }
            close();
            Patience.until(
                    "end of all processes in namespaces",
                    GONE_WITHIN,
                    () -> Remains.inNamespaces(links).isEmpty(),
                    () -> String.join("\n", Remains.inNamespaces(links)));
        } finally {
            for (Closeable pin : pins) {
                pin.close();
            }
        }
    }

    /** All nodes, that of the store last. */
    public List<NetworkNode> all() {
        List<NetworkNode> all = new ArrayList<>(nodes);
        if (store != null) {
            all.add(store);
        }
        return all;
    }

    @Override
    public void close() {
        if (etcd != null) {
            etcd.close();
        }
        all().forEach(node -> node.namespace().close());
        if (hub != null) {
            hub.close();
        }
    }
}
