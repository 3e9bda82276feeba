/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

/** A worker's report that its link to a peer broke in a round. */
public record PeerLost(long round, int reporterRank, int lostRank) {}
