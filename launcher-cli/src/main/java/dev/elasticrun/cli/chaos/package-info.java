/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code elastic-run chaos}: its options, and the runs of a program on local agents, without faults and in a storm, of which
 * it writes the report.
 */
@NullMarked
package dev.elasticrun.cli.chaos;

import org.jspecify.annotations.NullMarked;
