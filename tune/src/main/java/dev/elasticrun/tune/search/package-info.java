/* SPDX-License-Identifier: Apache-2.0 */
/** Which parameters a trial gets. */
@NullMarked
package dev.elasticrun.tune.search;

import org.jspecify.annotations.NullMarked;
