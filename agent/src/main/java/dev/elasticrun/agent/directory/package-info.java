/* SPDX-License-Identifier: Apache-2.0 */
/** Directories of a node: that of a run, its lock, temporaries of workers, leftovers; and how files in them are written. */
@NullMarked
package dev.elasticrun.agent.directory;

import org.jspecify.annotations.NullMarked;
