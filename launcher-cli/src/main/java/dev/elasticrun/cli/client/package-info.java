/* SPDX-License-Identifier: Apache-2.0 */
/** Calls to agents of a run, and the files of runs that have ended. */
@NullMarked
package dev.elasticrun.cli.client;

import org.jspecify.annotations.NullMarked;
