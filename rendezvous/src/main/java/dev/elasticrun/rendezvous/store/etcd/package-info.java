/* SPDX-License-Identifier: Apache-2.0 */
/** The store on etcd's v3 gRPC API; the only importer of its client stubs. */
@NullMarked
package dev.elasticrun.rendezvous.store.etcd;

import org.jspecify.annotations.NullMarked;
