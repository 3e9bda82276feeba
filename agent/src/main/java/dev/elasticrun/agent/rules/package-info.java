/* SPDX-License-Identifier: Apache-2.0 */
/** Decides how an agent reacts to an event: pure rules over its state. */
@NullMarked
package dev.elasticrun.agent.rules;

import org.jspecify.annotations.NullMarked;
