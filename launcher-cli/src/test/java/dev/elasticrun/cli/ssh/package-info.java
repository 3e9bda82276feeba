/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package dev.elasticrun.cli.ssh;

import org.jspecify.annotations.NullMarked;
