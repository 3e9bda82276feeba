/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Command lines of torchrun: its flags and variables that have another name, form or meaning here, as settings of this
 * launcher. Those of the same name and form are in {@link dev.elasticrun.agent.config.Settings}. Pure.
 */
@NullMarked
package dev.elasticrun.cli.torchrun;

import org.jspecify.annotations.NullMarked;
