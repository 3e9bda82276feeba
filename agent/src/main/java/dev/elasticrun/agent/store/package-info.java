/* SPDX-License-Identifier: Apache-2.0 */
/** The store of a run, and the keys of its store. */
@NullMarked
package dev.elasticrun.agent.store;

import org.jspecify.annotations.NullMarked;
