/* SPDX-License-Identifier: Apache-2.0 */
/** What an agent serves over HTTP, from what its run has. */
@NullMarked
package dev.elasticrun.agent.web;

import org.jspecify.annotations.NullMarked;
