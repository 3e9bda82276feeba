/* SPDX-License-Identifier: Apache-2.0 */
/** What Kubeflow's Trainer is sent of a run that one of its TrainJobs started. */
@NullMarked
package dev.elasticrun.agent.trainer;

import org.jspecify.annotations.NullMarked;
