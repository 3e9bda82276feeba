/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.trial;

/** Where a trial is. */
public enum TrialPhase {
    RUNNING,
    /** It went to its own end. */
    COMPLETED,
    /** The study's rule ended it. */
    STOPPED,
    FAILED
}
