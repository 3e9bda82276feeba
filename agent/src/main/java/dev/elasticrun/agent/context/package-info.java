/* SPDX-License-Identifier: Apache-2.0 */
/** What an agent of one node works with: its node, settings and places. */
@NullMarked
package dev.elasticrun.agent.context;

import org.jspecify.annotations.NullMarked;
