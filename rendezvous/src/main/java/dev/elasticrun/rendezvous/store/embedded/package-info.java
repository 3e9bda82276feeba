/* SPDX-License-Identifier: Apache-2.0 */
/** A subset of etcd's v3 gRPC API served from the agent's process. */
@NullMarked
package dev.elasticrun.rendezvous.store.embedded;

import org.jspecify.annotations.NullMarked;
