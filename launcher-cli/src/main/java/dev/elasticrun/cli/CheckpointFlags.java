/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.LaunchConfigBuilder;
import java.util.List;

/** How checkpoints are kept. */
final class CheckpointFlags {
    private CheckpointFlags() {}

    static final Flags.Group GROUP = new Flags.Group(
            "Checkpoints",
            List.of(
                    Flag.ifGiven(
                            "checkpoint-dir",
                            "DIR",
                            "Where durable copies of checkpoints go, the same for all nodes, below it by run."
                                    + " Default: none are made.",
                            FlagKind.PATH,
                            LaunchConfigBuilder::checkpointDir,
                            config -> config.checkpoints().directory()),
                    Flag.of(
                                    "checkpoint-every",
                                    "N",
                                    "How many versions lie between two durable copies.",
                                    FlagKind.number("1 or more"),
                                    LaunchConfigBuilder::checkpointEvery,
                                    config -> config.checkpoints().every())
                            .orElse("1"),
                    Flag.of(
                                    "local-replicas",
                                    "N",
                                    "How many other workers keep a copy of a worker's local state, on other nodes as far as there"
                                            + " are.",
                                    FlagKind.number("0 or more"),
                                    LaunchConfigBuilder::localReplicas,
                                    config -> config.checkpoints().localReplicas())
                            .orElse("2"),
                    Flag.of(
                                    "on-state-loss",
                                    "restart|fail",
                                    "What happens when no worker has the state that the run had: it starts again, or"
                                            + " ends as failed.",
                                    FlagKind.STATE_LOSS,
                                    LaunchConfigBuilder::onStateLoss,
                                    config -> config.checkpoints().onStateLoss())
                            .orElse("restart")));
}
