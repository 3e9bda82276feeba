/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

/** The state of a node, as its agent publishes it. */
public enum NodePhase {
    /** Its workers are not ready for a round yet. */
    STARTING,
    /** Can be put into a round. */
    READY,
    /** Works in the round that it acknowledged. */
    ACTIVE,
    /** Ready, and not in the newest round: surplus. */
    STANDBY,
    /** Its workers closed their links, as when its lease was in doubt; keeps its place and asks for a new round. */
    FENCED,
    /** Its workers fail to start again and again: waits for a restart of the run's budget to try again. */
    BACKING_OFF,
    /** Leaving by request. */
    DRAINING,
    /** All its workers ended with exit code 0. */
    DONE,
    /** Its workers cannot be started any more: about to leave. */
    BROKEN
}
