/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.rendezvous.NodeRecord;
import dev.elasticrun.rendezvous.RunDescription;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What the control plane needs of its agent. Every method is called in the agent's loop. */
public interface ControlPeer {

    /** The run, for people. */
    CompletableFuture<RunDescription> describe();

    /** A live node as this agent knows it; only the coordinator knows others. */
    Optional<NodeRecord> node(String nodeId);

    /** A process is proved to be dead. */
    void proveDead(NodeRecord dead, String evidence);
}
