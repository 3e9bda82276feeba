/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

/**
 * What an incident cost, in milliseconds. Each is measured on one host's clock, and of several nodes it is that of the
 * slowest; negative = not known.
 *
 * @param detected from the failure to the coordinator's decision, if both are of one host
 * @param sealed from the decision to the sealed round
 * @param paused how long members stood still until they were told to work again
 * @param resumed from being told to work to the last worker's first operation, or the start of its process
 * @param stalled how long members did not work, all in all
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
        double gone) {}
