/* SPDX-License-Identifier: Apache-2.0 */
/** Manual pages, written from the models of which the help pages are written. Runs in the build only. */
@NullMarked
package dev.elasticrun.cli.manual;

import org.jspecify.annotations.NullMarked;
