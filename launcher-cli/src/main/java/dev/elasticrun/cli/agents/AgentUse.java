/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.agents;

/**
 * What agents take at a moment: the most of any of them.
 *
 * @param nanos monotonic clock of the host
 * @param residentBytes memory
 * @param files open descriptors
 */
public record AgentUse(long nanos, long residentBytes, int files, int threads) {
    public static final AgentUse NOTHING = new AgentUse(0, 0, 0, 0);

    public AgentUse max(AgentUse other) {
        return new AgentUse(
                Math.max(nanos, other.nanos),
                Math.max(residentBytes, other.residentBytes),
                Math.max(files, other.files),
                Math.max(threads, other.threads));
    }
}
