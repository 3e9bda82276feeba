/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

/** How long the result of a bootstrap operation holds. */
public enum BootstrapScope {
    /** For the whole run: the shape of the data, seeds, cuts of a histogram. */
    JOB,
    /** Until the world changes: results that depend on the number of workers or on the assignment of ranks. */
    MEMBERSHIP
}
