/* SPDX-License-Identifier: Apache-2.0 */
/** {@code elastic-run ssh}: an agent on each host of a file, by OpenSSH's client. */
@NullMarked
package dev.elasticrun.cli.ssh;

import org.jspecify.annotations.NullMarked;
