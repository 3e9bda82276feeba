/* SPDX-License-Identifier: Apache-2.0 */
/** What a viewer of trace files expects, for tests of those who write one. */
@NullMarked
package dev.elasticrun.agent.trace;

import org.jspecify.annotations.NullMarked;
