/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.torchrun;

import dev.elasticrun.agent.config.NodeRange;
import dev.elasticrun.agent.config.SettingTexts;
import dev.elasticrun.agent.config.Settings;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the nodes of a torchrun line meet: what its backend means with what else the line has. Pure.
 *
 * <p>{@code c10d}: the first host of the endpoint serves the store, at 29400 if no port is given. {@code static}: the host of
 * the master address does, at 29500, and exactly the given number of nodes form the world, in the order of their ranks; it is
 * torchrun's default, here only where the line has a master address, a master port or, without an endpoint, a node rank.
 *
 * @param backend empty = none is given
 * @param nnodes as it was given
 */
public record MeetingPlace(
        Optional<String> backend,
        Optional<String> endpoint,
        Optional<String> masterAddr,
        Optional<String> masterPort,
        Optional<String> nodeRank,
        Optional<String> nnodes,
        boolean standalone,
        boolean hasRunId) {
    private static final String EMBEDDED = "embedded";
    private static final String C10D_PORT = "29400";
    private static final String STATIC_PORT = "29500";
    private static final Pattern WITH_PORT = Pattern.compile(".*[^:]:(\\d{1,5})|\\[.*]:(\\d{1,5})");
    private static final Pattern PORT = Pattern.compile("\\d{1,5}");
    private static final int MAX_PORT = 65535;

    /** The settings that this stands for. */
    public Translation translate() {
        return switch (backend.orElseGet(() -> isStatic() ? "static" : "")) {
            case "c10d" -> c10d();
            case "static" -> fixed();
            case "etcd-v2" ->
                Translation.NOTHING
                        .with(Settings.RDZV_BACKEND, "etcd")
                        .noting("--rdzv-backend etcd-v2 is --rdzv-backend etcd: the API of etcd 3");
            default -> unused();
        };
    }

    private boolean isStatic() {
        return !standalone
                && endpoint.isEmpty()
                && (masterAddr.isPresent() || masterPort.isPresent() || (nodeRank.isPresent() && isSeveral()));
    }

    private Translation unused() {
        Translation translation = Translation.NOTHING;
        if (masterAddr.isPresent()) {
            translation = translation.ignoring("--master-addr: no effect, only --rdzv-backend static has one");
        }
        if (masterPort.isPresent()) {
            translation = translation.ignoring("--master-port: no effect, only --rdzv-backend static has one");
        }
        return translation;
    }

    private Translation c10d() {
        Translation translation = unused().with(Settings.RDZV_BACKEND, EMBEDDED)
                .noting("--rdzv-backend c10d is --rdzv-backend embedded: the node at --rdzv-endpoint serves the store");
        if (standalone) {
            return translation;
        }
        if (endpoint.isEmpty()) {
            return isSeveral()
                    ? Translation.wrong(
                            "--rdzv-endpoint",
                            "not given",
                            "HOST[:PORT] of the node that serves the store, with --rdzv-backend c10d")
                    : translation;
        }
        String place = withPort(endpoint.get(), C10D_PORT);
        if (port(place).equals("0")) {
            return isSeveral()
                    ? Translation.wrong(
                            "--rdzv-endpoint", endpoint.get(), "a port that all nodes know, with several nodes")
                    : translation
                            .with(Settings.RDZV_ENDPOINT, Translation.NO_VALUE)
                            .noting("--rdzv-endpoint " + endpoint.get() + " is none: a store of this agent alone");
        }
        return named(translation.with(Settings.RDZV_ENDPOINT, place), place);
    }

    private Translation fixed() {
        if (standalone) {
            return unused().with(Settings.RDZV_BACKEND, EMBEDDED);
        }
        Optional<NodeRange> range = range();
        if (range.isPresent() && range.get().min() != range.get().max()) {
            return Translation.wrong("--nnodes", nnodes.orElse(""), "one number with --rdzv-backend static");
        }
        if (masterPort.isPresent() && !isPort(masterPort.get())) {
            return Translation.wrong("--master-port", masterPort.get(), "a port, 1 to " + MAX_PORT);
        }
        if (!isSeveral()) {
            return Translation.NOTHING
                    .with(Settings.RDZV_BACKEND, EMBEDDED)
                    .with(Settings.RDZV_ENDPOINT, Translation.NO_VALUE)
                    .noting("--rdzv-backend static with one node is a store of this agent alone");
        }
        String host = masterAddr.orElse("127.0.0.1");
        String port = masterPort.orElse(STATIC_PORT);
        String place = endpoint.map(given -> withPort(given, port))
                .orElseGet(() -> (host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + port);
        Translation translation = Translation.NOTHING
                .with(Settings.RDZV_BACKEND, EMBEDDED)
                .with(Settings.RDZV_ENDPOINT, place)
                .noting("--rdzv-backend static is --rdzv-backend embedded with a fixed number of nodes: the node at "
                        + place + " serves the store, and --node-rank is the order");
        return named(nodeRank.isPresent() ? translation : translation.with(Settings.NODE_RANK, "0"), place);
    }

    // Torchrun's runs of these backends need no name, and its default is the same for all of them.
    private Translation named(Translation translation, String place) {
        String name = "torchrun-" + port(place);
        return hasRunId
                ? translation
                : translation
                        .with(Settings.RUN_ID, name)
                        .noting("the run is called " + name + ", as it has no --rdzv-id");
    }

    private boolean isSeveral() {
        return range().map(nodes -> nodes.max() > 1).orElse(false);
    }

    private Optional<NodeRange> range() {
        try {
            return nnodes.map(SettingTexts::nodes);
        } catch (IllegalArgumentException reportedByTheSetting) {
            return Optional.empty();
        }
    }

    private static boolean isPort(String text) {
        return PORT.matcher(text).matches() && Integer.parseInt(text) >= 1 && Integer.parseInt(text) <= MAX_PORT;
    }

    private static String withPort(String endpoint, String port) {
        String first = endpoint.split(",", 2)[0].strip();
        return WITH_PORT.matcher(first).matches() ? first : first + ":" + port;
    }

    private static String port(String endpoint) {
        Matcher matcher = WITH_PORT.matcher(endpoint);
        if (!matcher.matches()) {
            return "";
        }
        return matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
    }
}
