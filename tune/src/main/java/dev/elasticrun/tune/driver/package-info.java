/* SPDX-License-Identifier: Apache-2.0 */
/** The process that decides for a study. */
@NullMarked
package dev.elasticrun.tune.driver;

import org.jspecify.annotations.NullMarked;
