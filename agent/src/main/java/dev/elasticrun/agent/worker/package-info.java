/* SPDX-License-Identifier: Apache-2.0 */
/** Workers of a node: starts, channels, watch, ends. */
@NullMarked
package dev.elasticrun.agent.worker;

import org.jspecify.annotations.NullMarked;
