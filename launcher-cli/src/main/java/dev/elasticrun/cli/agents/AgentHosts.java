/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.agents;

import dev.elasticrun.cli.network.NetworkHost;
import java.util.Collection;

/** Where the agents of a group run, if not on this host. Called by the thread that starts an agent. */
@FunctionalInterface
public interface AgentHosts {
    /**
     * A host for one more agent.
     *
     * @param used those of the agents that live
     * @throws IllegalStateException if there is none and the kernel does not make one more
     */
    NetworkHost free(Collection<NetworkHost> used);
}
