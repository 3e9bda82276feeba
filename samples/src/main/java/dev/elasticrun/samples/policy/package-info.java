/* SPDX-License-Identifier: Apache-2.0 */
/** A restart policy of one's own. */
@NullMarked
package dev.elasticrun.samples.policy;

import org.jspecify.annotations.NullMarked;
