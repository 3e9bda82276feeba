/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.tls.GivenTls;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.rendezvous.restart.RestartPolicies;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.worker.contract.TlsFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * What all parts of one agent share.
 *
 * @param incarnation the run's incarnation if this agent turns out to be its first
 */
record AgentContext(
        LaunchConfig config,
        String runId,
        String incarnation,
        AgentSettings settings,
        RestartPolicyStrategy strategy,
        SecureRandom random) {
    private static final int RUN_ID_BYTES = 6;
    private static final int INCARNATION_BYTES = 8;

    static AgentContext of(LaunchConfig config) {
        SecureRandom random = new SecureRandom();
        NodeIdentity node = NodeIdentity.create(config, random);
        RestartPolicyStrategy strategy = RestartPolicies.byName(
                config.restarts().policy(), config.restarts().policyPath().orElse(""));
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
                config.times().shutdownTimeout(),
                RetryLimits.of(config.restarts()),
                config.checkpoints().onStateLoss());
        return new AgentContext(
                config,
                config.store().runId().orElseGet(() -> "run-" + hex(random, RUN_ID_BYTES)),
                hex(random, INCARNATION_BYTES),
                settings,
                strategy,
                random);
    }

    String nodeId() {
        return settings.nodeId();
    }

    /** By what this node and others know each other; empty = in plain text. */
    Optional<RunTls> tls() {
        if (!config.tls().on()) {
            return Optional.empty();
        }
        try {
            Optional<TlsFiles> files = TlsChecks.nodeFiles(config.tls());
            return Optional.of(
                    files.isPresent()
                            ? RunTls.given(GivenTls.read(files.get()))
                            : RunTls.generated(runId, nodeId(), List.of(settings.address(), "localhost", "127.0.0.1")));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot use the certificates of node " + nodeId(), e);
        }
    }

    NodeFiles files() {
        return new NodeFiles(config.logs().directory(), runId, nodeId());
    }

    private static String hex(SecureRandom random, int bytes) {
        byte[] value = new byte[bytes];
        random.nextBytes(value);
        return HexFormat.of().formatHex(value);
    }
}
