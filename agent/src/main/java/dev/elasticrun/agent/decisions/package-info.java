/* SPDX-License-Identifier: Apache-2.0 */
/** What coordinators decided, and from what: as lines of a file, and decided again. */
@NullMarked
package dev.elasticrun.agent.decisions;

import org.jspecify.annotations.NullMarked;
