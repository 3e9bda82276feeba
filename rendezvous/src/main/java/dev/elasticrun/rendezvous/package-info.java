/* SPDX-License-Identifier: Apache-2.0 */
/** How agents agree on numbered rounds: what an agent uses, and what it is made of in the packages below. */
@NullMarked
package dev.elasticrun.rendezvous;

import org.jspecify.annotations.NullMarked;
