/* SPDX-License-Identifier: Apache-2.0 */
/** What a study knows, and what follows from it: without effects, time is passed in. */
@NullMarked
package dev.elasticrun.tune.study;

import org.jspecify.annotations.NullMarked;
