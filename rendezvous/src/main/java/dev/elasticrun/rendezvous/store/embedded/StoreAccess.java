/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import org.jspecify.annotations.Nullable;

/**
 * Who may do what in an embedded store.
 *
 * @param secret of which callers prove knowledge, call by call; null = anyone may do anything
 * @param openReads whether reads need no proof, as stock clients of etcd have none
 */
public record StoreAccess(@Nullable String secret, boolean openReads) {
    /** Only for callers with the secret, reads included. */
    public static StoreAccess of(@Nullable String secret) {
        return new StoreAccess(secret, false);
    }
}
