/* SPDX-License-Identifier: Apache-2.0 */
/** Command line, environment and file, to settings. */
@NullMarked
package dev.elasticrun.cli.options;

import org.jspecify.annotations.NullMarked;
