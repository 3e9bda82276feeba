/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import org.jspecify.annotations.Nullable;

/** The store does not let this caller do that: no user, a wrong password or key, or no permission. Nothing was done. */
public final class StoreRefusedException extends StoreException {

    private static final long serialVersionUID = 1L;

    public StoreRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
