/* SPDX-License-Identifier: Apache-2.0 */
/** The agent's gRPC service: status for users, held connections for fast detection. */
@NullMarked
package dev.elasticrun.agent.control;

import org.jspecify.annotations.NullMarked;
