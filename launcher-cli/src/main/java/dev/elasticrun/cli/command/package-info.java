/* SPDX-License-Identifier: Apache-2.0 */
/** The commands beside the launch, one class each. */
@NullMarked
package dev.elasticrun.cli.command;

import org.jspecify.annotations.NullMarked;
