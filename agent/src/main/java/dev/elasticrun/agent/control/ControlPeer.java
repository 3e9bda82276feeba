/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.agent.liveness.NodeLife;
import dev.elasticrun.proto.NodeCurves;
import dev.elasticrun.proto.NodeReply;
import dev.elasticrun.rendezvous.RunDescription;
import dev.elasticrun.worker.contract.CheckpointFiles;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What the control plane needs of its agent. Methods are called in the agent's loop unless specified otherwise. */
public interface ControlPeer {

    /** The directory of this node's logs; callable by any thread. Empty = it has none. */
    default Optional<Path> logs() {
        return Optional.empty();
    }

    /** The checkpoint files of this node; callable by any thread. Empty = it serves none. */
    default Optional<CheckpointFiles> checkpoints() {
        return Optional.empty();
    }

    /** On which terms others copy these files; callable by any thread. */
    default CopyTerms copyTerms() {
        return CopyTerms.NONE;
    }

    /**
     * What goes with the files of a node.
     *
     * @param keepers how many nodes without a rank may keep copies of them
     * @param since the newest round in which the run lost all its state, according to this node; 0 = none
     */
    record CopyTerms(int keepers, long since) {
        public static final CopyTerms NONE = new CopyTerms(0, 0);
    }

    /** What this node's workers do; callable by any thread, reads small files. */
    default CompletableFuture<NodeReply> nodeStatus() {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("nodeStatus"));
    }

    /** What this node's workers did until now; callable by any thread. */
    default NodeCurves curves() {
        return NodeCurves.getDefaultInstance();
    }

    /** The run, in human-readable form. */
    CompletableFuture<RunDescription> describe();

    /** Accepts commands of users; callable by any thread. Empty = no commands. */
    default Optional<CommandDesk> desk() {
        return Optional.empty();
    }

    /**
     * Receives the current record of an agent.
     *
     * @param nodeId the agent that proved itself at the other end; the record must be its own
     */
    void receive(String nodeId, byte[] record);

    /** A process is confirmed dead; called once per node. */
    void proveDead(NodeLife dead, String evidence);
}
