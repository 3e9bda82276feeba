/* SPDX-License-Identifier: Apache-2.0 */
/** What is prepared for a framework around each round: an SPI, and who finds what implements it. */
@NullMarked
package dev.elasticrun.agent.runtime;

import org.jspecify.annotations.NullMarked;
