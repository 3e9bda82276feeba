/* SPDX-License-Identifier: Apache-2.0 */
/** Elects the coordinator of a run, and writes its decisions into the store. */
@NullMarked
package dev.elasticrun.rendezvous.coordinator;

import org.jspecify.annotations.NullMarked;
