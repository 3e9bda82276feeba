/* SPDX-License-Identifier: Apache-2.0 */
/** What a run and its workers do at this moment, for whoever shows it: values, and how a step rate is found. Pure. */
@NullMarked
package dev.elasticrun.agent.facts;

import org.jspecify.annotations.NullMarked;
