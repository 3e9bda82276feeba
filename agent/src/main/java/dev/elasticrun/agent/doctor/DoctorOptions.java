/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * What is asked of a doctor besides the configuration of the agent that would run here.
 *
 * @param checkpointBytes size of a checkpoint for which there must be space; empty = not known
 * @param patience how long it waits for other nodes, where the run has a name; zero = it looks for none
 */
public record DoctorOptions(OptionalLong checkpointBytes, Duration patience) {}
