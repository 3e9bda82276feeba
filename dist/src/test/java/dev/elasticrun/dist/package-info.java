/* SPDX-License-Identifier: Apache-2.0 */
/** What users install, unpacked and run as they do it. */
@NullMarked
package dev.elasticrun.dist;

import org.jspecify.annotations.NullMarked;
