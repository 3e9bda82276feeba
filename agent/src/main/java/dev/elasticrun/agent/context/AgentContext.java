/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.context;

import dev.elasticrun.agent.launch.Encryption;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.ListenPlaces;
import dev.elasticrun.agent.launch.NodeFiles;
import dev.elasticrun.agent.launch.TlsChecks;
import dev.elasticrun.agent.runtime.FrameworkRuntimes;
import dev.elasticrun.agent.tls.GivenTls;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.rendezvous.restart.RestartPolicies;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.worker.contract.ListenPlace;
import dev.elasticrun.worker.contract.TlsFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Values shared by all components of one agent.
 *
 * @param start how it comes to its run
 * @param network how other nodes reach this one
 */
public record AgentContext(
        LaunchConfig config,
        Start start,
        AgentSettings settings,
        RestartPolicyStrategy strategy,
        FrameworkRuntimes runtimes,
        SecureRandom random,
        Network network) {
    private static final int RUN_ID_BYTES = 6;
    private static final int INCARNATION_BYTES = 8;

    /**
     * How the agent comes to its run.
     *
     * @param incarnation the run's incarnation if this agent turns out to be its first
     * @param nanos when the agent was started, by {@code System.nanoTime}
     */
    public record Start(String runId, String incarnation, long nanos) {}

    /**
     * How other nodes reach this one.
     *
     * @param place where this node listens, unless a port is given
     * @param encryption verifies other nodes; null = plain text
     * @param adoptsEncryption whether this node adopts the run's encryption, as its own is not configured
     */
    public record Network(ListenPlace place, @Nullable RunTls encryption, boolean adoptsEncryption) {}

    /** Of elastic-run, as its jars have it; empty where the classes are in no jar. */
    public static Optional<String> version() {
        return Optional.ofNullable(AgentContext.class.getPackage().getImplementationVersion());
    }

    public static AgentContext of(LaunchConfig asked, long startedNanos) {
        SecureRandom random = new SecureRandom();
        NodeIdentity node = NodeIdentity.create(asked, random);
        ListenPlace place = ListenPlaces.of(asked.listen(), node.address());
        LaunchConfig config = Encryption.resolve(asked, place);
        String policyPath = config.restarts().policyPath().orElse("");
        RestartPolicyStrategy named = RestartPolicies.byName(config.restarts().policy(), policyPath);
        RestartPolicyStrategy strategy =
                config.restarts().spareWorkers() > 0 ? named.withSpares().orElse(named) : named;
        AgentSettings settings = new AgentSettings(
                node,
                config.size().nprocPerNode(),
                config.restarts().spareWorkers(),
                config.workers().role(),
                new AgentSettings.Restarts(
                        strategy.workersOutliveRounds(),
                        FailedWorker.under(strategy),
                        config.restarts().budget(),
                        RetryLimits.of(config.restarts()),
                        config.checkpoints().onStateLoss()),
                new AgentSettings.Times(
                        config.times().pauseTimeout(),
                        config.times().readyTimeout(),
                        config.times().shutdownTimeout()));
        String runId = config.store().runId().orElseGet(() -> "run-" + hex(random, RUN_ID_BYTES));
        RunTls encryption = config.tls().on() ? encryption(config, runId, settings) : null;
        return new AgentContext(
                config,
                new Start(runId, hex(random, INCARNATION_BYTES), startedNanos),
                settings,
                strategy,
                FrameworkRuntimes.of(config.workers().runtime(), policyPath),
                random,
                new Network(place, encryption, !asked.tls().isAsked()));
    }

    public String runId() {
        return start.runId();
    }

    public String incarnation() {
        return start.incarnation();
    }

    public String nodeId() {
        return settings.nodeId();
    }

    /** Where this node listens, unless a port is given. */
    public ListenPlace place() {
        return network.place();
    }

    /** The TLS by which this node and others verify each other, the same for all components; empty = plain text. */
    public Optional<RunTls> tls() {
        return Optional.ofNullable(network.encryption());
    }

    private static RunTls encryption(LaunchConfig config, String runId, AgentSettings settings) {
        try {
            Optional<TlsFiles> files = TlsChecks.nodeFiles(config.tls());
            List<String> hosts = List.of(settings.address(), "localhost", "127.0.0.1");
            return files.isPresent()
                    ? RunTls.given(GivenTls.read(files.get()))
                    : RunTls.generated(runId, settings.nodeId(), hosts);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot use the certificates of node " + settings.nodeId(), e);
        }
    }

    /** Where the logs of all nodes of the run on this host are, in a directory each. */
    public Path runLogs() {
        return config.logs().directory().resolve(runId()).toAbsolutePath();
    }

    public NodeFiles files() {
        return new NodeFiles(config.logs().directory(), runId(), nodeId());
    }

    private static String hex(SecureRandom random, int bytes) {
        byte[] value = new byte[bytes];
        random.nextBytes(value);
        return HexFormat.of().formatHex(value);
    }
}
