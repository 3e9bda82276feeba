/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Jobs on schedulers: which scheduler and job a command line means, what a scheduler was given, and how a job is shown. Which
 * schedulers there are is found by service registration.
 */
@NullMarked
package dev.elasticrun.cli.scheduler;

import org.jspecify.annotations.NullMarked;
