/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Jobs on Slurm: an array with one element for each node, by Slurm's own commands. {@code SlurmScheduler} calls them through
 * {@code SlurmCommands}; the file that is submitted, and what is read from the commands' output, are pure.
 */
@NullMarked
package dev.elasticrun.scheduler.slurm;

import org.jspecify.annotations.NullMarked;
