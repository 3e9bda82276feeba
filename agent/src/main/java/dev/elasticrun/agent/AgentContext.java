/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.rendezvous.restart.RestartPolicies;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import java.security.SecureRandom;
import java.util.HexFormat;

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
                config.restartPolicy(), config.policyPath().orElse(""));
        AgentSettings settings = new AgentSettings(
                node.nodeId(),
                node.hostLabel(),
                node.address(),
                config.nprocPerNode(),
                config.role(),
                config.maxRestarts(),
                strategy.workersOutliveRounds(),
                strategy.replacesWorkers(),
                config.pauseTimeout(),
                config.shutdownTimeout(),
                RetryLimits.of(config),
                config.onStateLoss());
        return new AgentContext(
                config,
                config.runId().orElseGet(() -> "run-" + hex(random, RUN_ID_BYTES)),
                hex(random, INCARNATION_BYTES),
                settings,
                strategy,
                random);
    }

    String nodeId() {
        return settings.nodeId();
    }

    NodeFiles files() {
        return new NodeFiles(config.logDir(), runId, nodeId());
    }

    private static String hex(SecureRandom random, int bytes) {
        byte[] value = new byte[bytes];
        random.nextBytes(value);
        return HexFormat.of().formatHex(value);
    }
}
