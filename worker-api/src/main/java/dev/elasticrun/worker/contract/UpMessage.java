/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.util.List;
import java.util.Objects;

/** One message from a worker to its agent, stored as {@code up/<seq>.json} in the worker's channel directory. */
public sealed interface UpMessage {

    /** The worker has loaded its data and listens for its peers on this TCP port. */
    record Ready(int port) implements UpMessage {
        public Ready {
            if (port < 1 || port > 65535) {
                throw new IllegalArgumentException("port: " + port + " (expected: 1 to 65535)");
            }
        }
    }

    /**
     * The worker is fenced out of the round that event {@code seq} closed.
     *
     * @param seq the PAUSE that is acknowledged
     * @param version newest checkpoint version that this worker holds; 0 = none
     * @param monotonicNanos CLOCK_MONOTONIC when the worker's sockets of the old round were closed
     */
    record Ack(long seq, long version, long monotonicNanos) implements UpMessage {}

    /**
     * The worker completed its first operation in a round.
     *
     * @param version checkpoint version from which it continues; 0 = from the start
     * @param monotonicNanos CLOCK_MONOTONIC at that moment
     * @param world of the round, which makes the checkpoints to come; 0 = not stated
     * @param checkpointWorld the world that made that version; 0 = there is none, or it is not stated
     */
    record Resumed(long round, long version, long monotonicNanos, long world, long checkpointWorld)
            implements UpMessage {}

    /**
     * How far the worker is.
     *
     * @param total planned steps; 0 = not known
     * @param version newest checkpoint version that this worker holds; 0 = none
     */
    record Progress(long step, long total, long version) implements UpMessage {}

    /**
     * All ranks have completed a checkpoint. Sent by rank 0, for the first one at once, then every ten seconds.
     *
     * @param version of the newest
     */
    record Committed(long version) implements UpMessage {}

    /** The connection to a peer broke, or the peer was silent for longer than the peer time-out. */
    record PeerLost(long round, int rank) implements UpMessage {}

    /**
     * No worker of the round has a checkpoint, and there is no durable copy, though one was completed. Sent by local
     * rank 0 of each node, before anything is done in the round.
     *
     * @param version the newest that had been completed
     */
    record StateLost(long round, long version) implements UpMessage {}

    /**
     * Local states of the checkpoint from which the round continues are lost. Sent by local rank 0 of each node, or by
     * the ranks that looked for them among durable copies; again in each round until the next checkpoint.
     *
     * @param version of that checkpoint
     * @param ranks of the world that made it, in order
     */
    record LocalStateLost(long round, long version, List<Integer> ranks) implements UpMessage {
        public LocalStateLost {
            ranks = List.copyOf(ranks);
        }
    }

    /** The worker is about to fail. */
    record Failure(String message, String stack) implements UpMessage {
        public Failure {
            Objects.requireNonNull(message, "message");
            Objects.requireNonNull(stack, "stack");
        }
    }

    /** The worker requests that the run exclude this node. */
    record ExcludeNode(String reason) implements UpMessage {
        public ExcludeNode {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /** The run cannot succeed, whatever is restarted: it ends FAILED at once and no budget is used. */
    record StopRun(String message) implements UpMessage {
        public StopRun {
            Objects.requireNonNull(message, "message");
        }
    }
}
