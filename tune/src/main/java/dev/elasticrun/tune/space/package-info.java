/* SPDX-License-Identifier: Apache-2.0 */
/** Parameters of a study and the values that they can take. */
@NullMarked
package dev.elasticrun.tune.space;

import org.jspecify.annotations.NullMarked;
