/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import org.jspecify.annotations.Nullable;

/** The store did not do what was asked; nothing was written, and the same call may be made again. */
public class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
