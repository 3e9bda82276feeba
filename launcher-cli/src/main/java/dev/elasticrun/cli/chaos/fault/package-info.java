/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Faults of a run: of which kinds, when each is due by a seed, and how it is injected into local agents, their workers and
 * their network. What is planned is pure; {@code Injector} and {@code ChaosNetwork} do the rest. Used by {@code
 * elastic-run chaos} and by elastic-run-testing.
 */
@NullMarked
package dev.elasticrun.cli.chaos.fault;

import org.jspecify.annotations.NullMarked;
