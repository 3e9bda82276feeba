/* SPDX-License-Identifier: Apache-2.0 */
/** Signals of the operating system. Internal. */
@NullMarked
package dev.elasticrun.cli.signal;

import org.jspecify.annotations.NullMarked;
