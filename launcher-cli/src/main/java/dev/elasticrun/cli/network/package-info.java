/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Network namespaces of this machine as hosts on one switch, made by {@code unshare}, {@code nsenter} and {@code ip}, and
 * the faults of such a network. Needs root, or user namespaces. Used by chaos, by
 * elastic-run-testing and by the tests of the samples. Internal.
 */
@NullMarked
package dev.elasticrun.cli.network;

import org.jspecify.annotations.NullMarked;
