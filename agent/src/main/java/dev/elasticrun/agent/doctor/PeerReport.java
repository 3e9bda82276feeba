/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

/**
 * The way to another node.
 *
 * @param roundTrips of small calls
 * @param bytesPerSecond received from it
 * @param clockMillis how far its clock is ahead; negative = behind
 * @param clockUncertaintyMillis by how much that may be wrong
 */
public record PeerReport(
        String node,
        String address,
        Latencies roundTrips,
        long bytesPerSecond,
        long clockMillis,
        long clockUncertaintyMillis) {}
