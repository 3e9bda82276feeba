/* SPDX-License-Identifier: Apache-2.0 */
/** The agent of one node: configuration, launch, and its package-private machine. */
@NullMarked
package dev.elasticrun.agent;

import org.jspecify.annotations.NullMarked;
