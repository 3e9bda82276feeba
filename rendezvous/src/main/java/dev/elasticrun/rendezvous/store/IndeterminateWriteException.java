/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import org.jspecify.annotations.Nullable;

/** A write may or may not have happened: read back before anything is decided on it. */
public final class IndeterminateWriteException extends StoreException {

    private static final long serialVersionUID = 1L;

    public IndeterminateWriteException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
