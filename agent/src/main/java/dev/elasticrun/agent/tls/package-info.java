/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Certificates: the CA that is derived from a run key, and the certificates of this node's servers and clients with the
 * CAs that they trust.
 */
@NullMarked
package dev.elasticrun.agent.tls;

import org.jspecify.annotations.NullMarked;
