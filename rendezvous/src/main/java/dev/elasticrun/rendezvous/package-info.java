/* SPDX-License-Identifier: Apache-2.0 */
/** How agents agree on numbered rounds: the public face and its package-private machine. */
@NullMarked
package dev.elasticrun.rendezvous;

import org.jspecify.annotations.NullMarked;
