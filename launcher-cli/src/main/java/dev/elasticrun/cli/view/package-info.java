/* SPDX-License-Identifier: Apache-2.0 */
/** Texts and JSON for what agents answer and for what happened. Pure. */
@NullMarked
package dev.elasticrun.cli.view;

import org.jspecify.annotations.NullMarked;
