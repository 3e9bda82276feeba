/* SPDX-License-Identifier: Apache-2.0 */
/** Which runs there are, and there were: on this host, by the files that agents leave, and in a store. */
@NullMarked
package dev.elasticrun.cli.runs;

import org.jspecify.annotations.NullMarked;
