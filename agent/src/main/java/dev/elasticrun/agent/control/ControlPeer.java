/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.agent.liveness.NodeLife;
import dev.elasticrun.proto.NodeReply;
import dev.elasticrun.rendezvous.RunDescription;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What the control plane needs of its agent. Methods are called in the agent's loop unless they say
 * otherwise. */
public interface ControlPeer {

    /** The directory of this node's logs; callable by any thread. Empty = it has none. */
    default Optional<Path> logs() {
        return Optional.empty();
    }

    /** What this node's workers do; callable by any thread, reads small files. */
    default CompletableFuture<NodeReply> nodeStatus() {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("nodeStatus"));
    }

    /** The run, for people. */
    CompletableFuture<RunDescription> describe();

    /** Where people ask for something; callable by any thread. Empty = nowhere. */
    default Optional<CommandDesk> desk() {
        return Optional.empty();
    }

    /**
     * An agent tells what its record is now.
     *
     * @param nodeId the agent that proved itself at the other end, whose record it has to be
     */
    void hear(String nodeId, byte[] record);

    /** A process is proved to be dead; told once per node. */
    void proveDead(NodeLife dead, String evidence);
}
