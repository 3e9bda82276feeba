/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import org.jspecify.annotations.Nullable;

/** The store has no space for writes, until an operator makes some; reads and renewals work meanwhile. */
public final class StoreFullException extends StoreException {

    private static final long serialVersionUID = 1L;

    public StoreFullException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
