/* SPDX-License-Identifier: Apache-2.0 */
/** The one thread that owns all state of an agent, and its timers. */
@NullMarked
package dev.elasticrun.rendezvous.loop;

import org.jspecify.annotations.NullMarked;
