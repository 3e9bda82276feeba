/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.proto.StatusReply;
import dev.elasticrun.rendezvous.RunDescription;

/**
 * The whole run at one moment.
 *
 * @param run what its store has of it
 * @param status the same, with what the agents of its live nodes report of their workers; nodes in the order of the
 *     description
 */
public record RunStatus(RunDescription run, StatusReply status) {}
