/* SPDX-License-Identifier: Apache-2.0 */
/** The agent's side of the file channel to a worker. */
@NullMarked
package dev.elasticrun.agent.channel;

import org.jspecify.annotations.NullMarked;
