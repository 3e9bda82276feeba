/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import org.jspecify.annotations.Nullable;

/**
 * The store and this agent do not trust each other, or do not both use TLS; the same call fails until an operator
 * repairs that.
 */
public final class StoreUntrustedException extends StoreException {

    private static final long serialVersionUID = 1L;

    public StoreUntrustedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
