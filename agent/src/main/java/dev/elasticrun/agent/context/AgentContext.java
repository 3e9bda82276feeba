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
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What all parts of one agent share.
 *
 * @param incarnation the run's incarnation if this agent turns out to be its first
 * @param startedNanos when the agent was started, as {@code System.nanoTime} tells it
 * @param adoptsEncryption whether it does what the run does about encryption, as nobody said what it should do
 * @param place where this node listens, unless a port is given
 * @param encryption see {@link #tls}
 */
public record AgentContext(
        LaunchConfig config,
        String runId,
        String incarnation,
        AgentSettings settings,
        RestartPolicyStrategy strategy,
        FrameworkRuntimes runtimes,
        SecureRandom random,
        long startedNanos,
        boolean adoptsEncryption,
        ListenPlace place,
        @Nullable RunTls encryption) {
    private static final int RUN_ID_BYTES = 6;
    private static final int INCARNATION_BYTES = 8;

    public static AgentContext of(LaunchConfig asked, long startedNanos) {
        SecureRandom random = new SecureRandom();
        NodeIdentity node = NodeIdentity.create(asked, random);
        ListenPlace place = ListenPlaces.of(asked.listen(), node.address());
        LaunchConfig config = Encryption.resolve(asked, place);
        String policyPath = config.restarts().policyPath().orElse("");
        RestartPolicyStrategy strategy =
                RestartPolicies.byName(config.restarts().policy(), policyPath);
        AgentSettings settings = new AgentSettings(
                node.nodeId(),
                node.hostLabel(),
                node.address(),
                config.size().nprocPerNode(),
                config.workers().role(),
                config.restarts().maxRestarts(),
                strategy.workersOutliveRounds(),
                strategy.replacesWorkers(),
                config.times().pauseTimeout(),
                config.times().readyTimeout(),
                config.times().shutdownTimeout(),
                RetryLimits.of(config.restarts()),
                config.checkpoints().onStateLoss());
        String runId = config.store().runId().orElseGet(() -> "run-" + hex(random, RUN_ID_BYTES));
        return new AgentContext(
                config,
                runId,
                hex(random, INCARNATION_BYTES),
                settings,
                strategy,
                FrameworkRuntimes.of(config.workers().runtime(), policyPath),
                random,
                startedNanos,
                !asked.tls().isAsked(),
                place,
                config.tls().on() ? encryption(config, runId, settings) : null);
    }

    public String nodeId() {
        return settings.nodeId();
    }

    /** By what this node and others know each other, the same for all parts; empty = in plain text. */
    public Optional<RunTls> tls() {
        return Optional.ofNullable(encryption);
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

    public NodeFiles files() {
        return new NodeFiles(config.logs().directory(), runId, nodeId());
    }

    private static String hex(SecureRandom random, int bytes) {
        byte[] value = new byte[bytes];
        random.nextBytes(value);
        return HexFormat.of().formatHex(value);
    }
}
