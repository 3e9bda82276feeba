/* SPDX-License-Identifier: Apache-2.0 */
/** Whole runs: real agents, real workers, a real etcd, real signals. */
@NullMarked
package dev.elasticrun.samples.e2e;

import org.jspecify.annotations.NullMarked;
