/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

/**
 * What rank 0 serves for all.
 *
 * @param address its host
 * @param port serves one round only; 0 = none is bound
 */
public record MasterEndpoint(String address, int port) {}
