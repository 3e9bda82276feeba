/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.rendezvous.RunDescription;
import java.util.concurrent.CompletableFuture;

/** What the control plane needs of its agent. Every method is called in the agent's loop. */
public interface ControlPeer {

    /** The run, for people. */
    CompletableFuture<RunDescription> describe();

    /** An agent tells what its record is now. */
    void hear(byte[] record);

    /** A process is proved to be dead; told once per node. */
    void proveDead(NodeLife dead, String evidence);
}
