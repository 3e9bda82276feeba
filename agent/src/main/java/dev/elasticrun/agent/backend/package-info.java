/* SPDX-License-Identifier: Apache-2.0 */
/** Kinds of store that agents meet in, by name: the interface for stores of your own. */
@NullMarked
package dev.elasticrun.agent.backend;

import org.jspecify.annotations.NullMarked;
