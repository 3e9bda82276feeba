/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Leads all new connections between nodes through one more node, which passes bytes on late, until closed. */
final class Detour implements AutoCloseable {
    private static final String PORTS = "/proc/sys/net/ipv4/ip_local_port_range";
    private static final String ANY_PORT = "32768 60999";

    private final List<NetworkNode> nodes;
    private final NetworkNode relay;
    private final Process process;

    private Detour(List<NetworkNode> nodes, NetworkNode relay, Process process) {
        this.nodes = nodes;
        this.relay = relay;
        this.process = process;
    }

    static Detour open(List<NetworkNode> nodes, NetworkNode relay, Duration delay, String storePort) {
        for (NetworkNode node : nodes) {
            relay.addAddress(detour(node.address()));
        }
        try {
            List<String> command = new ArrayList<>(relay.enter());
            command.addAll(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    Project.TEST_CLASS_PATH,
                    DelayRelay.class.getName(),
                    Long.toString(delay.toMillis()),
                    storePort));
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String printed = process.inputReader(StandardCharsets.UTF_8).readLine();
            if (!DelayRelay.READY.equals(printed)) {
                process.destroyForcibly();
                throw new IllegalStateException("relay: " + printed);
            }
            Detour detour = new Detour(nodes, relay, process);
            nodes.forEach(detour::lead);
            return detour;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        for (NetworkNode node : nodes) {
            node.rules("delete table ip detour");
            ports(node, ANY_PORT);
        }
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        relay.namespace().close();
    }

    private void lead(NetworkNode node) {
        ports(node, DelayRelay.FIRST_PORT + " " + DelayRelay.LAST_PORT);
        node.rules("add table ip detour; add chain ip detour output { type nat hook output priority -100; }");
        for (NetworkNode other : nodes) {
            if (!other.equals(node)) {
                node.rules("add rule ip detour output ip daddr " + other.address() + " meta l4proto tcp dnat to "
                        + detour(other.address()));
            }
        }
    }

    /** The relay listens on these only, and a node must not choose others. */
    private static void ports(NetworkNode node, String range) {
        node.namespace().run("sh", "-c", "echo " + range + " > " + PORTS);
    }

    private static String detour(String address) {
        String[] bytes = address.split("\\.", -1);
        bytes[2] = Integer.toString(DelayRelay.DETOUR);
        return String.join(".", bytes);
    }
}
