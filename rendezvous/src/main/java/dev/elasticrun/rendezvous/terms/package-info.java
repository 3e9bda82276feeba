/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What is fixed for a whole run, and how one agent takes part in it: numbers of nodes, policy, budget of restarts, key, and
 * the times of leases and rounds. Pure values, which know neither rounds nor nodes.
 */
@NullMarked
package dev.elasticrun.rendezvous.terms;

import org.jspecify.annotations.NullMarked;
