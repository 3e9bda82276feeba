/* SPDX-License-Identifier: Apache-2.0 */
/** Ranges of the store that are kept current, and how well the store serves. */
@NullMarked
package dev.elasticrun.rendezvous.view;

import org.jspecify.annotations.NullMarked;
