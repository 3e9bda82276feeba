/* SPDX-License-Identifier: Apache-2.0 */
/** Connections between workers: handshake, frames, encryption, and the mesh of a round. */
@NullMarked
package dev.elasticrun.worker.internal.net;

import org.jspecify.annotations.NullMarked;
