/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.terms;

import org.jspecify.annotations.Nullable;

/**
 * Where an agent has the run's secret from.
 *
 * @param given the secret, when it was given; else it is minted, or read from the store
 * @param inStore whether a minted secret may be kept in the store for other nodes
 */
public record RunKeySource(byte @Nullable [] given, boolean inStore) {}
