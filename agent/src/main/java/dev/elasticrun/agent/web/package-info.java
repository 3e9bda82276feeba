/* SPDX-License-Identifier: Apache-2.0 */
/** Renders the state of a run for what an agent serves over HTTP. */
@NullMarked
package dev.elasticrun.agent.web;

import org.jspecify.annotations.NullMarked;
