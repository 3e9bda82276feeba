/* SPDX-License-Identifier: Apache-2.0 */
/** Certificates: the authority that a run key stands for, and what servers and clients of this node show and take. */
@NullMarked
package dev.elasticrun.agent.tls;

import org.jspecify.annotations.NullMarked;
