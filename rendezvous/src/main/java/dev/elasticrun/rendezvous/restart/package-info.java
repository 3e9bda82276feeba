/* SPDX-License-Identifier: Apache-2.0 */
/** Restart policies: a public SPI, and the built-in ones. */
@NullMarked
package dev.elasticrun.rendezvous.restart;

import org.jspecify.annotations.NullMarked;
