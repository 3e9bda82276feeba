/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

/**
 * What of a node stays as it is for as long as its agent lives.
 *
 * @param address where peers reach the node, a host name or an address
 * @param controlPort port of the agent's control service
 * @param slots number of workers
 */
public record NodeSpec(String nodeId, String hostLabel, String address, int controlPort, String role, int slots) {}
