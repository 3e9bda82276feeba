/* SPDX-License-Identifier: Apache-2.0 */
/** What is known of a run: rounds, nodes, commands, verdicts, and the events of a node's part in it. */
@NullMarked
package dev.elasticrun.rendezvous.record;

import org.jspecify.annotations.NullMarked;
