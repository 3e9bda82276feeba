/* SPDX-License-Identifier: Apache-2.0 */
/** Who coordinates a run, and how what is decided gets into the store. */
@NullMarked
package dev.elasticrun.rendezvous.coordinator;

import org.jspecify.annotations.NullMarked;
