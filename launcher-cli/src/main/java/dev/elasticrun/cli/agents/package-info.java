/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Agents of one run as processes that this process starts: their command line, the hosts that they run on, what they
 * report and what they take, and their end. Used by {@code elastic-run chaos} and by elastic-run-testing. Internal.
 */
@NullMarked
package dev.elasticrun.cli.agents;

import org.jspecify.annotations.NullMarked;
