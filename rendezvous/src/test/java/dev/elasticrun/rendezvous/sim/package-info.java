/* SPDX-License-Identifier: Apache-2.0 */
/** Whole runs under virtual time, with faults from a seed. */
@NullMarked
package dev.elasticrun.rendezvous.sim;

import org.jspecify.annotations.NullMarked;
