/* SPDX-License-Identifier: Apache-2.0 */
/** What a coordinator decides: pure, from a snapshot of the run, what was observed, and the time. */
@NullMarked
package dev.elasticrun.rendezvous.plan;

import org.jspecify.annotations.NullMarked;
