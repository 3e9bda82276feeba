/* SPDX-License-Identifier: Apache-2.0 */
/** What an agent does about an event: pure rules over its state. */
@NullMarked
package dev.elasticrun.agent.rules;

import org.jspecify.annotations.NullMarked;
