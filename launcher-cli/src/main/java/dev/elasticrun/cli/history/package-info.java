/* SPDX-License-Identifier: Apache-2.0 */
/** Serves pages about runs that have ended, from their files: read only. */
@NullMarked
package dev.elasticrun.cli.history;

import org.jspecify.annotations.NullMarked;
