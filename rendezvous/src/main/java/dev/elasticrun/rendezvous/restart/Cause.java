/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import java.util.List;

/**
 * One reason for a new round. A round has one or several, in the order in which its policy names them. {@link CauseText}
 * renders them; nothing reads that text.
 */
public sealed interface Cause {
    /** As what the round is counted. */
    IncidentCause incident();

    /**
     * The first round of a run.
     *
     * @param nodes number of nodes, from 1
     */
    record Started(int nodes) implements Cause {
        @Override
        public IncidentCause incident() {
            return IncidentCause.OTHER;
        }
    }

    /**
     * Workers of these nodes failed.
     *
     * @param nodes node ids, in rank order
     * @param withoutRestart those of them for which no restart is left
     * @param collateral whether each failure is a consequence of another one
     */
    record WorkersFailed(List<String> nodes, List<String> withoutRestart, boolean collateral) implements Cause {
        public WorkersFailed {
            nodes = List.copyOf(nodes);
            withoutRestart = List.copyOf(withoutRestart);
        }

        /** Failures of their own, with restarts left. */
        public WorkersFailed(List<String> nodes) {
            this(nodes, List.of(), false);
        }

        @Override
        public IncidentCause incident() {
            return IncidentCause.WORKER_FAILED;
        }
    }

    /** The leases of these nodes ended, or their deaths were confirmed. */
    record NodesLost(List<String> nodes) implements Cause {
        public NodesLost {
            nodes = List.copyOf(nodes);
        }

        @Override
        public IncidentCause incident() {
            return IncidentCause.NODE_LOST;
        }
    }

    /** These nodes leave by request. */
    record NodesLeaving(List<String> nodes) implements Cause {
        public NodesLeaving {
            nodes = List.copyOf(nodes);
        }

        @Override
        public IncidentCause incident() {
            return IncidentCause.NODE_LEFT;
        }
    }

    /** Workers of these nodes ended with exit code 0 before they did anything in the round, which others cannot begin. */
    record WorkersDone(List<String> nodes) implements Cause {
        public WorkersDone {
            nodes = List.copyOf(nodes);
        }

        @Override
        public IncidentCause incident() {
            return IncidentCause.WORKER_DONE;
        }
    }

    /** These nodes are left out of the next round; another cause states why. */
    record NodesExcluded(List<String> nodes) implements Cause {
        public NodesExcluded {
            nodes = List.copyOf(nodes);
        }

        @Override
        public IncidentCause incident() {
            return IncidentCause.NODE_LEFT_OUT;
        }
    }

    /** These nodes paused themselves and ask for a new round. */
    record NodesFenced(List<String> nodes) implements Cause {
        public NodesFenced {
            nodes = List.copyOf(nodes);
        }

        @Override
        public IncidentCause incident() {
            return IncidentCause.NODE_FENCED;
        }
    }

    /** Workers lost peers, and no loss of a node explains it. */
    record LinksBroken() implements Cause {
        @Override
        public IncidentCause incident() {
            return IncidentCause.LINK_BROKEN;
        }
    }

    /**
     * Nodes were admitted.
     *
     * @param count from 1
     */
    record NodesJoined(int count) implements Cause {
        @Override
        public IncidentCause incident() {
            return IncidentCause.NODE_JOINED;
        }
    }

    /**
     * Workers of members were given ranks, in the place of others that failed before.
     *
     * @param count from 1
     */
    record WorkersJoined(int count) implements Cause {
        @Override
        public IncidentCause incident() {
            return IncidentCause.WORKER_JOINED;
        }
    }

    /**
     * Why a node is excluded: its link to another member is broken.
     *
     * @param node the excluded node
     * @param peer the other end, which stays
     */
    record LinkOf(String node, String peer) implements Cause {
        @Override
        public IncidentCause incident() {
            return IncidentCause.OTHER;
        }
    }

    /**
     * Why a node is excluded: one of its workers asked for it.
     *
     * @param node the excluded node
     * @param message what the worker stated; may be empty
     */
    record AskedByWorker(String node, String message) implements Cause {
        @Override
        public IncidentCause incident() {
            return IncidentCause.OTHER;
        }
    }

    /** Nodes that the next round is without because their workers keep failing. */
    record NodesUnreliable(List<String> nodes) implements Cause {
        public NodesUnreliable {
            nodes = List.copyOf(nodes);
        }

        @Override
        public IncidentCause incident() {
            return IncidentCause.OTHER;
        }
    }

    /** An operator asked for a restart of all workers. */
    record RestartCommanded() implements Cause {
        @Override
        public IncidentCause incident() {
            return IncidentCause.COMMAND;
        }
    }

    /** An operator asked for the departure of the nodes that leave. */
    record DrainCommanded() implements Cause {
        @Override
        public IncidentCause incident() {
            return IncidentCause.COMMAND;
        }
    }

    /**
     * An operator changed the number of nodes.
     *
     * @param bounds as the command has them, MIN:MAX or N
     */
    record ScaleCommanded(String bounds) implements Cause {
        @Override
        public IncidentCause incident() {
            return IncidentCause.COMMAND;
        }
    }

    /**
     * An operator ended the run.
     *
     * @param askedBy as the command states; may be empty
     */
    record StopCommanded(String askedBy) implements Cause {
        @Override
        public IncidentCause incident() {
            return IncidentCause.OTHER;
        }
    }

    /**
     * A reason of a restart policy from outside this project.
     *
     * @param text free text, for display only
     */
    record Policy(String text) implements Cause {
        @Override
        public IncidentCause incident() {
            return IncidentCause.OTHER;
        }
    }
}
