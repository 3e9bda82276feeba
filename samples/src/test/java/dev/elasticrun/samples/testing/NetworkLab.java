/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import dev.elasticrun.rendezvous.store.EtcdProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Nodes with addresses of their own, and one more for an etcd, on one switch: network namespaces of this machine, for the
 * tests of a class. Needs no root where users may make namespaces. Where they may not, the tests are aborted, and fail when
 * the environment says {@code CI=true}. All nodes are healed after each test; nothing is left after the last one.
 */
public final class NetworkLab implements BeforeAllCallback, AfterEachCallback, AfterAllCallback, AutoCloseable {
    static final String SWITCH = "switch";
    private static final String SUBNET = "10.77.0.";
    private static final int STORE = 100;
    private static final Duration GONE_WITHIN = Duration.ofSeconds(5);

    private final int size;
    private final List<NetworkNode> nodes = new ArrayList<>();
    private @Nullable Namespace hub;
    private @Nullable NetworkNode store;
    private @Nullable EtcdProcess etcd;

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

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        try {
            open();
        } catch (IllegalStateException e) {
            close();
            String message =
                    "no network namespaces on this machine (expected: root, or user namespaces): " + e.getMessage();
            if (Boolean.parseBoolean(System.getenv("CI"))) {
                Assertions.fail(message, e);
            }
            Assumptions.abort(message);
        }
    }

    /** Outside of tests: makes all this; {@link #close} ends it. */
    public NetworkLab open() throws IOException {
        NetworkTools tools = NetworkTools.find();
        Namespace first = Namespace.first("lab");
        hub = first;
        first.run(tools.ip(), "link", "add", SWITCH, "type", "bridge");
        first.run(tools.ip(), "link", "set", SWITCH, "up");
        store = new NetworkNode(first, tools, "store", SUBNET + STORE);
        for (int i = 1; i <= size; i++) {
            nodes.add(new NetworkNode(first, tools, "node" + i, SUBNET + i));
        }
        etcd = EtcdProcess.start(
                Files.createTempDirectory("lab-etcd-"), new EtcdProcess.Place(store().enter(), store().address()));
        return this;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        all().forEach(NetworkNode::heal);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        List<String> links = all().stream().map(node -> node.namespace().link()).toList();
        close();
        Patience.until(
                "end of all processes in namespaces",
                GONE_WITHIN,
                () -> Remains.inNamespaces(links).isEmpty(),
                () -> String.join("\n", Remains.inNamespaces(links)));
    }

    private List<NetworkNode> all() {
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
