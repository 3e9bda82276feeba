/* SPDX-License-Identifier: Apache-2.0 */
/** Algorithms by which ranks exchange and reduce data, over sockets and shared memory. */
@NullMarked
package dev.elasticrun.worker.internal.exchange;

import org.jspecify.annotations.NullMarked;
