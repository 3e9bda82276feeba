/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The settings of an agent: one table that contains for each its name, kind, default, bounds and help, and the types of
 * their values. API; below everything else of the agent but the files of its run.
 */
@NullMarked
package dev.elasticrun.agent.config;

import org.jspecify.annotations.NullMarked;
