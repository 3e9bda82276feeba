/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.LaunchConfigBuilder;
import java.util.List;

/** Where the nodes of a run meet. */
final class StoreFlags {
    private StoreFlags() {}

    static final Flags.Group GROUP = new Flags.Group(
            "Where nodes meet",
            List.of(
                    Flag.ifGiven(
                                    "run-id",
                                    "NAME",
                                    "Name of the run, the same on all its nodes. Default: random.",
                                    FlagKind.TEXT,
                                    LaunchConfigBuilder::runId,
                                    config -> config.store().runId())
                            .alsoCalled("rdzv-id")
                            .asInTorchrun("rdzv-id"),
                    Flag.of(
                                    "rdzv-backend",
                                    "auto|etcd|embedded",
                                    "Who serves the store: an etcd of yours, or the first agent at the endpoint;"
                                            + " auto: etcd if there is an endpoint.",
                                    FlagKind.BACKEND,
                                    LaunchConfigBuilder::rdzvBackend,
                                    config -> config.store().backend())
                            .orElse("auto")
                            .asInTorchrun(),
                    Flag.ifAny(
                                    "rdzv-endpoint",
                                    "HOST[:PORT],...",
                                    "Where the store is; port 2379 if not given. Default: a store in this agent.",
                                    FlagKind.ENDPOINTS,
                                    LaunchConfigBuilder::rdzvEndpoints,
                                    config -> config.store().endpoints())
                            .asInTorchrun(),
                    Flag.yes(
                                    "standalone",
                                    "One node with a store of its own, whatever the endpoint says.",
                                    LaunchConfigBuilder::standalone,
                                    config -> config.store().standalone())
                            .asInTorchrun(),
                    Flag.ifGiven(
                            "run-key-file",
                            "FILE",
                            "The run's secret, for an embedded store and several hosts. Default: minted.",
                            FlagKind.PATH,
                            LaunchConfigBuilder::runKeyFile,
                            config -> config.store().runKeyFile()),
                    Flag.ifGiven(
                                    "local-addr",
                                    "HOST",
                                    "Address at which other nodes reach this one."
                                            + " Default: that of the interface that leads to the store.",
                                    FlagKind.TEXT,
                                    LaunchConfigBuilder::localAddr,
                                    config -> config.store().localAddr())
                            .asInTorchrun(),
                    Flag.ifGiven(
                            "bind-addr",
                            "HOST",
                            "Address of this machine at which agent and workers listen. Default: that at which other"
                                    + " nodes reach this one; all, if that is not one of this machine (NAT).",
                            FlagKind.TEXT,
                            LaunchConfigBuilder::bindAddr,
                            config -> config.listen().address()),
                    Flag.ifGiven(
                            "port-range",
                            "A-B",
                            "Ports for all that listens on this node without a port of its own: agent, workers, what is"
                                    + " reserved for rank 0. Default: the operating system's.",
                            FlagKind.TEXT,
                            LaunchConfigBuilder::portRange,
                            config -> config.listen().ports())));
}
