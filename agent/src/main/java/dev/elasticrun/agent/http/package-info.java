/* SPDX-License-Identifier: Apache-2.0 */
/** What an agent serves over HTTP: a page about the run, and metrics. The only users of the JDK's HTTP server. */
@NullMarked
package dev.elasticrun.agent.http;

import org.jspecify.annotations.NullMarked;
