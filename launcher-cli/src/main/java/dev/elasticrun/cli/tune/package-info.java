/* SPDX-License-Identifier: Apache-2.0 */
/** {@code elastic-run tune} and {@code elastic-run agent}: studies from files, and agents of pools. */
@NullMarked
package dev.elasticrun.cli.tune;

import org.jspecify.annotations.NullMarked;
