/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

/**
 * What an incident cost, in milliseconds; negative = not known. Each is measured on one host's clock. The first four come
 * one after the other: their sum is how long it took from the first sign of it until all worked, at the member that
 * worked last. What the coordinator did on another host is part of {@code paused}.
 *
 * @param detected from the first sign to the coordinator's decision
 * @param sealed from the decision to the sealed round
 * @param paused from then on until the member received WORK
 * @param resumed from WORK to its last worker's first operation, or the start of its process
 * @param stalled how long that member did not work, all in all
 * @param hard what a restart of all workers would take, by what starts of this run took
 * @param hardStarts how many starts that is the median of
 * @param stepsLost steps that were made again; negative = the program tells none
 * @param versionBefore newest checkpoint before; negative = not known
 * @param versionAfter that workers went on from; negative = not known
 * @param stepBefore newest step that anybody told before; negative = the program tells none
 * @param ended of the end of a run: from the first sign of it to the decision that the run ends
 * @param gone of the end of a run: from the first sign of it until the last worker was gone
 */
public record Cost(
        double detected,
        double sealed,
        double paused,
        double resumed,
        double stalled,
        double hard,
        int hardStarts,
        long stepsLost,
        long versionBefore,
        long versionAfter,
        long stepBefore,
        double ended,
        double gone) {

    /** From the first sign of it until all worked. */
    double total() {
        return Math.max(0, detected) + Math.max(0, sealed) + Math.max(0, paused) + Math.max(0, resumed);
    }
}
