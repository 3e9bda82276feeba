/* SPDX-License-Identifier: Apache-2.0 */
/** Words, times and names as they are printed. Pure. */
@NullMarked
package dev.elasticrun.cli.text;

import org.jspecify.annotations.NullMarked;
