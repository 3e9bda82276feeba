/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.LaunchConfigBuilder;
import java.util.List;

/** How large a run is, and what becomes of it when something fails. */
final class SizeFlags {
    private SizeFlags() {}

    static final Flags.Group GROUP = new Flags.Group(
            "Size and restarts",
            List.of(
                    Flag.of(
                                    "nnodes",
                                    "N|MIN:MAX",
                                    "How many nodes work together; MIN:MAX makes the run elastic.",
                                    FlagKind.NODES,
                                    (builder, nodes) -> builder.nnodes(nodes.min(), nodes.max()),
                                    config -> new FlagValues.Nodes(
                                            config.size().minNodes(),
                                            config.size().maxNodes()))
                            .orElse("1:1")
                            .asInTorchrun(),
                    Flag.of(
                                    "nproc-per-node",
                                    "N|auto|cpu",
                                    "Workers on this node; auto and cpu: one per processor.",
                                    FlagKind.NPROC,
                                    LaunchConfigBuilder::nprocPerNode,
                                    config -> config.size().nprocPerNode())
                            .orElse("1")
                            .asInTorchrun(),
                    Flag.of(
                                    "restart-policy",
                                    "hard|soft|soft-replace|NAME",
                                    "What a failure or a change of nodes does: hard restarts all workers, soft lets"
                                            + " those of other nodes go on, soft-replace replaces only the failed ones.",
                                    FlagKind.TEXT,
                                    LaunchConfigBuilder::restartPolicy,
                                    config -> config.restarts().policy())
                            .orElse("hard"),
                    Flag.ifGiven(
                            "policy-path",
                            "PATH",
                            "Jars and directories with restart policies and runtimes of your own, separated by ':'.",
                            FlagKind.SEARCH_PATH,
                            LaunchConfigBuilder::policyPath,
                            config -> config.restarts().policyPath()),
                    Flag.of(
                                    "max-restarts",
                                    "N",
                                    "Restarts that the whole run may use.",
                                    FlagKind.number("0 or more"),
                                    LaunchConfigBuilder::maxRestarts,
                                    config -> config.restarts().maxRestarts())
                            .orElse("3")
                            .asInTorchrun()));
}
