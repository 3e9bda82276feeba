/* SPDX-License-Identifier: Apache-2.0 */
/** SPI that prepares a framework around each round, and the lookup of its implementations. */
@NullMarked
package dev.elasticrun.agent.runtime;

import org.jspecify.annotations.NullMarked;
