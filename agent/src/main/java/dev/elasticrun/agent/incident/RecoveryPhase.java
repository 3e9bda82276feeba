/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import java.util.Locale;

/** How far the answer to an incident is, in order. */
public enum RecoveryPhase {
    /** It is known what happened, here or by a new round. */
    DETECTED,
    /** PAUSE was written for this node's workers. */
    PAUSED,
    /** This agent has the round that answers it. */
    SEALED,
    /** WORK was written for this node's workers, or they are started in the round. */
    PUBLISHED,
    /** This node's last worker has completed an operation in the round. */
    RESUMED;

    /** Value of a label. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
