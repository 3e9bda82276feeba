/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

/** How a node of the round is. */
public enum MemberState {
    HEALTHY,
    /** One of its workers failed. */
    FAILED,
    /** Failed workers of it are being replaced, as the policy wanted; the round waits for them. */
    REPLACING,
    /** Its lease ended, or its failure was confirmed. */
    LOST,
    /** It leaves by request. */
    LEAVING,
    /** It is to be left out: a worker asked for it, or its link to another member is broken. */
    EXCLUDED,
    /** It paused itself and asks for a new round. */
    FENCED,
    /** All its workers ended with exit code 0. */
    DONE
}
