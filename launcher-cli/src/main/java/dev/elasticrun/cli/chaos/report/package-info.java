/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What a storm cost: the pace without faults, what followed from each fault, goodput and work done again, from what was seen
 * of a run and from the events of its agents; and the report of that as text, JSON and a page. Pure.
 */
@NullMarked
package dev.elasticrun.cli.chaos.report;

import org.jspecify.annotations.NullMarked;
