/* SPDX-License-Identifier: Apache-2.0 */
/** A study in the store: names of keys, and what is in them. */
@NullMarked
package dev.elasticrun.tune.store;

import org.jspecify.annotations.NullMarked;
