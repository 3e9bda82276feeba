/* SPDX-License-Identifier: Apache-2.0 */
/** Texts that tests expect, in files. */
@NullMarked
package dev.elasticrun.rendezvous.golden;

import org.jspecify.annotations.NullMarked;
